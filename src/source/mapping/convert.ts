import type { FieldKind } from '../../domain/records/fields.ts';
import type { LocalTime } from '../../domain/text/local-time.ts';
import { parseDate } from './values/dates.ts';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((text) => [text, false] as const),
]);

/**
 * Returns the boolean for true, false, t, f, yes, no, y, n, on, off, 1, 0, in any case; `null`: none of
 * these.
 */
export function parseBoolean(text: string): boolean | null {
  return BOOLEANS.get(text) ?? BOOLEANS.get(text.toLowerCase()) ?? null;
}

const LONG_MAX = 2n ** 63n - 1n;

/**
 * Returns decimal digits without plus sign, leading zeros or an empty fraction; `null`: no 64-bit integer.
 */
export function parseInteger(text: string): string | null {
  const match = /^(?<sign>[+-]?)(?<digits>\d+)(?:\.0*)?$/.exec(text);
  if (match?.groups === undefined) return null;
  const { sign = '', digits = '' } = match.groups;
  const value = BigInt(sign === '-' ? `-${digits}` : digits);
  return value > LONG_MAX || value < -LONG_MAX - 1n ? null : value.toString();
}

/** Kinds of a single value, each with its conversion (`null`: impossible) and how a reason describes it. */
export const SINGLE_KINDS = {
  text: { parse: (text: string): string | null => text, wants: 'text' },
  integer: { parse: parseInteger, wants: 'an integer of at most 64 bits' },
  date: {
    parse: parseDate,
    wants: 'a date (1990-05-01, 1990-05-01T12:00:00+02:00, 19900501120000Z or 13-digit ms)',
  },
  boolean: { parse: parseBoolean, wants: 'true or false' },
} as const satisfies Partial<
  Record<FieldKind, { parse: (text: string, local: LocalTime) => string | boolean | null; wants: string }>
>;
