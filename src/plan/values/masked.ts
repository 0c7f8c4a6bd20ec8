import type { FieldValue } from '../../domain/records/fields.ts';

/**
 * Returns whether a value has asterisks or bullets. It may be shown in place of what is stored, and must not be sent
 * back over it.
 */
export function isMasked(value: FieldValue | null | undefined): boolean {
  if (typeof value === 'string') return /[*•]/u.test(value);
  if (value === null || value === undefined || typeof value !== 'object') return false;
  return JSON.stringify(value).includes('*') || JSON.stringify(value).includes('•');
}
