import type { Simple, SimpleField } from '../terms/field.ts';

/** What a value of a kind is, in words. */
export const KIND_WORDS: Readonly<Record<Simple, string>> = {
  text: 'text',
  id: 'a whole number',
  integer: 'a whole number',
  time: 'a time in milliseconds',
  day: 'a day as yyyyMMdd',
  float: 'a number',
  flag: 'true or false',
  bytes: 'base64',
  json: 'JSON',
};

const DIGITS = /^-?\d+$/u;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;

const FITS: Readonly<Record<Simple, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  // Ids are texts elsewhere in the interface: one that is no number can only be sent as text.
  id: (value) => isWhole(value) || (typeof value === 'string' && value !== '' && !DIGITS.test(value)),
  integer: isWhole,
  time: isWhole,
  day: (value) => isWhole(value) && isDay(String(value)),
  float: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  bytes: (value) => typeof value === 'string' && value.length % 4 === 0 && BASE64.test(value),
  json: () => true,
};

/** How a value reads in a query or a form, where everything is text. */
const FROM_TEXT: Readonly<Record<Simple, (text: string) => unknown>> = {
  text: asIs,
  id: wholeOf,
  integer: wholeOf,
  time: wholeOf,
  day: wholeOf,
  float: (text) => (/^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : text),
  flag: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  bytes: asIs,
  json: asIs,
};

const LONGS: ReadonlySet<Simple> = new Set(['id', 'integer', 'time']);
const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -LARGEST - 1n;

/** Returns in what a whole number does not fit a Long, 64 bits with sign; `null`: it fits, or is none. */
export function longProblem(value: unknown, { kind }: SimpleField): string | null {
  if (!LONGS.has(kind)) return null;
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  if (value > LARGEST) return `is larger than ${LARGEST}`;
  return value < SMALLEST ? `is smaller than ${SMALLEST}` : null;
}

/** Returns whether a value is of the field's kind. */
export function fitsKind(value: unknown, { kind }: SimpleField): boolean {
  return FITS[kind](value);
}

/** Returns the value that a text of a query or a form stands for; the text itself where it stands for none. */
export function fromText(text: string, { kind }: SimpleField): unknown {
  return FROM_TEXT[kind](text);
}

/** Returns whether eight digits are a day of the calendar. */
function isDay(text: string): boolean {
  const date = text.replace(/^(\d{4})(\d{2})(\d{2})$/u, '$1-$2-$3');
  return date !== text && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}

function isWhole(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function wholeOf(text: string): unknown {
  return DIGITS.test(text) ? BigInt(text) : text;
}

function asIs(text: string): string {
  return text;
}
