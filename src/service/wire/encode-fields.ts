import type { FieldKind, Fields, FieldSpec, FieldValue } from '../../domain/records/fields.ts';
import { long, type Json } from './encode-json.ts';

type Specs = Readonly<Record<string, FieldSpec>>;
type Encoder = (value: FieldValue) => Json;

const asIs: Encoder = (value) => value;
const asLong: Encoder = (value) => (typeof value === 'string' ? long(value) : value);
const ENCODERS = {
  text: asIs,
  boolean: asIs,
  textMap: asIs,
  integer: asLong,
  date: asLong,
  integers: (value) => (Array.isArray(value) ? value.map(asLong) : asLong(value)),
  properties: (value) => propertyList(value, long),
  tagNames: (value) => tagList(value),
} as const satisfies Record<FieldKind, Encoder>;

/**
 * Encodes properties as a list. A `data_schema_id` is a Long in the interface's table for imports, and a
 * String elsewhere.
 */
export function propertyList(value: FieldValue, idOf: (id: string) => Json): Json {
  return Object.entries(value).map(([id, values]) => ({ data_schema_id: idOf(id), values: values as Json }));
}

/** Encodes tags by name as a list (interface, Employees: `Tag`). */
function tagList(value: FieldValue): Json {
  return Object.entries(value).flatMap(([group, tags]) =>
    (tags as readonly string[]).map((tag) => ({ group, tag })),
  );
}

/** Encodes fields as members of a body for an import. `null` stays null, a missing key stays missing. */
export function encodeFields(fields: Fields, specs: Specs): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, encodeField(name, value, specs)]),
  );
}

function encodeField(name: string, value: FieldValue | null, specs: Specs): Json {
  const spec = specs[name];
  if (spec === undefined) throw new TypeError(`The interface has no field ${name} here.`);
  return value === null ? null : ENCODERS[spec.kind](value);
}
