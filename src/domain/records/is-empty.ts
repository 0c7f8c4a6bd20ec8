import type { FieldValue } from './fields.ts';

/** Missing, null, empty text, empty list and empty map are the same: nothing. `false` is a value. */
export function isEmpty(value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
