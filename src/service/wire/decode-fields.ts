import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { FieldDecoder, WireObject } from './decode.ts';

/** One shown field: its key in the answer, our name for it, and how to read it. */
export type ShownField = readonly [key: string, name: string, decode: FieldDecoder];

/** Returns the fields that this record shows; a key that is missing or cannot be read is not shown. */
export function decodeFields(record: WireObject, shown: readonly ShownField[]): Fields {
  const fields: Record<string, FieldValue | null> = {};
  for (const [key, name, decode] of shown) {
    const value = decode(record[key]);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}
