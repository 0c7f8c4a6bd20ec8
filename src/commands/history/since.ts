import { ConfigError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { d: 24 * HOUR_MS, h: HOUR_MS };

const AGO = /^(\d{1,5})([dh])$/u;
/** A day, or a time of a day; without a zone it is UTC, as all times that rollcall shows. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/iu;

/** Reads `--since`, and returns ms. Throws a ConfigError for what is no time. */
export function sinceOf(text: string, now: number): number {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const [, day = '', time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (!Number.isNaN(at) && isDay(day)) return at;
  throw new ConfigError(
    `history: --since "${printable(text)}" is no time: write a day (2026-11-01), a time (2026-11-01T08:00:00Z), ` +
      'or how long ago (7d, 12h)',
  );
}

/** Returns whether the calendar has the day: 31 February would be read as a day of March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}
