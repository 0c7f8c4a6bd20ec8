import type { LocalTime } from '../../../domain/text/local-time.ts';

/**
 * What counts as a date, in the zone of the configuration unless the text has one:
 * - ISO 8601: `1990-05-01`, `1990-05-01T12:30`, `1990-05-01 12:30:00.5+02:00`, `…Z`, `…+02`
 * - LDAP generalizedTime, RFC 4517, 3.3.13: `19900501120000Z`, `199005011200+0200`, `19900501120000.0Z`; also
 *   `19900501` and `19900501120000`
 * - milliseconds since the epoch: 11 to 13 digits (from 1973), or any number with a minus
 */
const ISO =
  /^(?<y>\d{4})-(?<mo>\d\d)-(?<d>\d\d)(?:[T ](?<h>\d\d):(?<mi>\d\d)(?::(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?)?(?<z> ?Z| ?UTC| ?[+-]\d\d(?::?\d\d)?)?)?$/i;
const GENERALIZED_TIME =
  /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?:(?<h>\d\d)(?:(?<mi>\d\d)(?:(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?)?)?(?<z>Z|[+-]\d\d(?:\d\d)?))?$/i;
const PLAIN_TIME = /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?<h>\d\d)(?<mi>\d\d)(?<s>\d\d)$/;
const MILLISECONDS = /^(?:\d{11,13}|-\d{1,13})$/;

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * Returns milliseconds since the epoch as decimal text; `null`: no date, or one that does not exist (30
 * February).
 *
 * @param local clock of texts that have no zone
 */
export function parseDate(text: string, local: LocalTime): string | null {
  if (MILLISECONDS.test(text)) return BigInt(text).toString();
  const parts = (ISO.exec(text) ?? GENERALIZED_TIME.exec(text) ?? PLAIN_TIME.exec(text))?.groups;
  const time = parts === undefined ? null : millisecondsOf(parts, local);
  return time === null ? null : String(time);
}

/**
 * Returns milliseconds since the epoch of a date in parts: year `y`, month `mo`, day `d`, and `h`, `mi`, `s`, `f`, `z`
 * where there are any; `null`: it does not exist.
 */
export function millisecondsOf(parts: Parts, local: LocalTime): number | null {
  const [year, month, day] = [number(parts['y']), number(parts['mo']), number(parts['d'])];
  const [hour, minute, second] = [number(parts['h']), number(parts['mi']), number(parts['s'])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offset = offsetMinutes(parts['z']);
  if (offset === null) return null;
  date.setUTCHours(hour, minute - offset, second, milliseconds(parts['f']));
  return parts['z'] === undefined ? local.at(date.getTime()) : date.getTime();
}

/** Returns minutes east of UTC; `null`: beyond the ±14 hours that exist. */
function offsetMinutes(zone: string | undefined): number | null {
  const text = (zone ?? 'Z').trim();
  if (!/^[+-]/.test(text)) return 0;
  const digits = text.slice(1).replace(':', '');
  const minutes = number(digits.slice(0, 2)) * 60 + number(digits.slice(2, 4) || undefined);
  if (minutes > 14 * 60) return null;
  return text.startsWith('-') ? -minutes : minutes;
}

function milliseconds(fraction: string | undefined): number {
  return number((fraction ?? '0').padEnd(3, '0').slice(0, 3));
}

function number(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}
