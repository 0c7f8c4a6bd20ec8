import type { FieldValue } from './fields.ts';

/**
 * Returns whether a value is nothing: missing, null, empty text, empty list and empty map are all the same.
 * `false` is a value.
 */
export function isEmpty(value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
