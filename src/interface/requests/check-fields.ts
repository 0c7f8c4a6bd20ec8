import type { Field, ListField, MapField, RecordField, Simple, SimpleField } from '../field.ts';
import { isObject } from '../json.ts';

/**
 * Returns what is wrong about a parsed JSON value: fields that the interface does not have, values of another type,
 * missing ones. `null` stands for no value only where a type has no empty value of its own.
 */
export function checkValue(value: unknown, field: Field, place: string): readonly Problem[] {
  if (field.kind === 'record') return checkRecord(value, field, place);
  if (field.kind === 'list') return checkList(value, field, place);
  if (field.kind === 'map') return checkMap(value, field, place);
  return checkSimple(value, field, place);
}

/** Returns what is wrong about the value of a simple field, which may stand as text in a query or form. */
export function checkSimple(value: unknown, field: SimpleField, place: string): readonly Problem[] {
  if (!fitsKind(value, field)) return [{ place, text: `is not ${KIND_TEXTS[field.kind]}` }];
  const problem = longProblem(value, field);
  if (problem !== null) return [{ place, text: problem }];
  const { values, minimum, maximum } = field;
  const isNumber = field.kind === 'integer' || field.kind === 'float';
  if (isNumber && minimum !== undefined && Number(value) < minimum) {
    return [{ place, text: `is smaller than ${minimum}` }];
  }
  if (isNumber && maximum !== undefined && Number(value) > maximum) {
    return [{ place, text: `is larger than ${maximum}` }];
  }
  if (values === undefined || values.some((choice) => isSame(choice, String(value), field))) return [];
  return [{ place, text: `is none of ${values.join(', ')}` }];
}

function isSame(choice: string, value: string, { anyCase = false }: SimpleField): boolean {
  return choice === value || (anyCase && choice.toLowerCase() === value.toLowerCase());
}

function checkRecord(value: unknown, field: RecordField, place: string): readonly Problem[] {
  if (!isObject(value)) return [{ place, text: 'is no JSON object' }];
  const { fields, oneOf } = field;
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  const problems = Object.entries(fields).flatMap(([name, one]) =>
    checkMember(value[name], one, `${place}.${name}`),
  );
  return [
    ...unknown.map((name) => ({ place: `${place}.${name}`, text: IS_UNKNOWN })),
    ...problems,
    ...(oneOf === undefined || oneOf.some((name) => isFilled(value[name]))
      ? []
      : [{ place, text: `needs one of ${oneOf.join(', ')}` }]),
  ];
}

/** What is wrong with a name that no row has. */
export const IS_UNKNOWN = 'is not in the interface';

/** What is wrong with `null` in the place of an empty value. */
export const IS_NULL = 'is null: leave it out, or give an empty value';

/** Kinds that can be empty without being `null`: "", [], {}. */
const EMPTIABLE: ReadonlySet<Field['kind']> = new Set(['text', 'bytes', 'list', 'map', 'record']);

function checkMember(value: unknown, field: Field, place: string): readonly Problem[] {
  const { kind, required = false, mayBeEmpty = !required } = field;
  const isMissing = value === undefined || value === null || (value === '' && !mayBeEmpty);
  if (!isMissing) return checkValue(value, field, place);
  if (required) return [{ place, text: 'is required' }];
  return value === null && EMPTIABLE.has(kind) ? [{ place, text: IS_NULL }] : [];
}

function checkList(
  value: unknown,
  { of, minimum = 0, maximum }: ListField,
  place: string,
): readonly Problem[] {
  if (!Array.isArray(value)) return [{ place, text: 'is no JSON array' }];
  if (value.length < minimum) return [{ place, text: `needs ${minimum} element at least` }];
  const countProblem =
    maximum !== undefined && value.length > maximum
      ? [{ place, text: `has ${value.length} elements, and at most ${maximum} are allowed` }]
      : [];
  return [
    ...countProblem,
    ...value.flatMap((one: unknown, index) =>
      checkMember(one, { ...of, required: true, mayBeEmpty: true }, `${place}[${index}]`),
    ),
  ];
}

function checkMap(value: unknown, { of }: MapField, place: string): readonly Problem[] {
  if (!isObject(value)) return [{ place, text: 'is no JSON object' }];
  return Object.entries(value).flatMap(([key, one]) => checkMember(one, of, `${place}.${key}`));
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** What a value of a kind is, in words. */
export const KIND_TEXTS: Readonly<Record<Simple, string>> = {
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
function longProblem(value: unknown, { kind }: SimpleField): string | null {
  if (!LONGS.has(kind)) return null;
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  if (value > LARGEST) return `is larger than ${LARGEST}`;
  return value < SMALLEST ? `is smaller than ${SMALLEST}` : null;
}

/** Returns whether a value is of the field's kind. */
function fitsKind(value: unknown, { kind }: SimpleField): boolean {
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

/** What is wrong about a request, and where: `body.positions[0].org_id`, `query limit`. */
export interface Problem {
  readonly place: string;
  readonly text: string;
}
