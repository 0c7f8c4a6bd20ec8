import {
  PERSON_FIELDS,
  POSITION_FIELDS,
  type FieldSpec,
  type FieldValue,
} from '../../domain/records/fields.ts';

const SPECS: Readonly<Record<string, FieldSpec>> = { ...POSITION_FIELDS, ...PERSON_FIELDS };

/** Returns whether a shown value is what a new account has there: "", 0, false, an empty list, null, or left out. */
export function isNothing(field: string, value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (value === '0') return SPECS[field]?.kind === 'integer';
  if (typeof value !== 'object') return false;
  const inner: readonly unknown[] = Object.values(value);
  return inner.every((one) => one === '' || (Array.isArray(one) && isNothing(field, one as string[])));
}
