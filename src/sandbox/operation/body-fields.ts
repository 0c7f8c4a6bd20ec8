import { invalid } from './refused.ts';
import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';

export type FieldKind = 'text' | 'integer' | 'flag' | 'integers' | 'texts' | 'objects';

/** Fields by name, only those that are present; `undefined` where the field is to be cleared. */
export type FieldChanges = ReadonlyMap<string, WireValue | undefined>;

const IS_KIND: Readonly<Record<FieldKind, (value: WireValue) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: isInteger,
  flag: (value) => typeof value === 'boolean',
  integers: (value) => isList(value) && value.every(isInteger),
  texts: (value) => isObject(value) && Object.values(value).every((text) => typeof text === 'string'),
  objects: (value) => isList(value) && value.every(isObject),
};

function isInteger(value: WireValue): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Reads fields by a table; others are ignored, as an older server would do. */
export function readFields(body: WireObject, table: Readonly<Record<string, FieldKind>>): FieldChanges {
  const changes = new Map<string, WireValue | undefined>();
  for (const [name, kind] of Object.entries(table)) {
    const value = body[name];
    if (value !== undefined) changes.set(name, readField(name, kind, value));
  }
  return changes;
}

/** Reads one field: null clears every kind; "" clears texts and [] clears lists. */
function readField(name: string, kind: FieldKind, value: WireValue): WireValue | undefined {
  if (value === null) return undefined;
  if (!IS_KIND[kind](value)) throw invalid(`${name} is not of type ${kind}`);
  const empty = value === '' || (isList(value) && value.length === 0);
  return empty ? undefined : value;
}

export function requiredField(body: WireObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${name} is required`);
  return value;
}

export function requiredObject(body: WireValue | undefined): WireObject {
  if (!isObject(body)) throw invalid('a JSON object is expected');
  return body;
}

export function requiredList(body: WireValue | undefined): readonly WireValue[] {
  if (!isList(body)) throw invalid('a JSON array is expected');
  return body;
}

/** Returns an identifier as a string, whether it came as one or as a number of any size. */
export function identifier(value: WireValue | undefined): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value.toString();
  return typeof value === 'string' && value !== '' ? value : undefined;
}
