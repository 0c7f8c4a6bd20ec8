import type { Fields as Values, FieldValue } from '../../domain/records/fields.ts';
import type { Field, Fields, Simple } from '../../interface/terms/field.ts';
import { long, type Json } from './encode-json.ts';

const NUMBERS: ReadonlySet<Simple> = new Set(['id', 'integer', 'time', 'day', 'float']);

/**
 * Encodes fields as members of a body, each as its row says. `null` stays null, a missing key stays missing. Throws a
 * TypeError for a field that the row does not have.
 */
export function encodeFields(values: Values, fields: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fields[name];
      if (field === undefined) throw new TypeError(`The interface has no field ${name} here.`);
      return [name, value === null ? null : encode(value, field)];
    }),
  );
}

/** Returns those of the values whose fields a body takes. */
export function takenBy(values: Values, fields: Fields): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name)));
}

function encode(value: FieldValue, field: Field): Json {
  if (field.kind === 'map' || field.kind === 'record') return value;
  if (field.kind !== 'list') return encodeSimple(value, field.kind);
  if (field.of.kind === 'record') return encodeRecords(value, field.of.fields);
  const { kind } = field.of;
  const simple = kind === 'list' || kind === 'map' ? 'json' : kind;
  return Array.isArray(value) ? value.map((one) => encodeSimple(one, simple)) : encodeSimple(value, simple);
}

function encodeSimple(value: FieldValue, kind: Simple): Json {
  return NUMBERS.has(kind) && typeof value === 'string' ? long(value) : value;
}

/** Encodes values by name as a list of records (interface, Employees: `Property`, `Tag`). */
function encodeRecords(value: FieldValue, fields: Fields): Json {
  const named = Object.entries(value) as readonly [string, readonly string[]][];
  const { data_schema_id: id } = fields;
  if (id === undefined) return named.flatMap(([group, tags]) => tags.map((tag) => ({ group, tag })));
  return named.map(([schema, values]) => ({ data_schema_id: encode(schema, id), values }));
}
