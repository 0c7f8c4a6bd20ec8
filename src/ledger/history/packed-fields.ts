import type { FieldChange } from '../../domain/changes.ts';

type Value = FieldChange['to'];

/** A field as the history keeps it: `[field, to]` where it had no value, `[field, from, to]` otherwise. */
type Packed = readonly [field: string, to: Value] | readonly [field: string, from: Value, to: Value];

/** Returns the changes as JSON without the names of their parts: a ledger is mostly history of created accounts. */
export const packFields = (fields: readonly FieldChange[]): string =>
  JSON.stringify(
    fields.map(({ field, from, to }): Packed => (from === null ? [field, to] : [field, from, to])),
  );

/** Returns the changes of an entry; entries of older versions have the parts by name. */
export const unpackFields = (kept: readonly (Packed | FieldChange)[]): readonly FieldChange[] =>
  kept.map((one) => {
    if (!isPacked(one)) return one;
    return one.length === 2
      ? { field: one[0], from: null, to: one[1] }
      : { field: one[0], from: one[1], to: one[2] };
  });

const isPacked = (one: Packed | FieldChange): one is Packed => Array.isArray(one);
