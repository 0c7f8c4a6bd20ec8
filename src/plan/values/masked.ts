import type { FieldValue } from '../../domain/records/fields.ts';

/** A value with asterisks or bullets may be shown instead of what is stored: sent back, it would take its place. */
export function isMasked(value: FieldValue | null | undefined): boolean {
  if (typeof value === 'string') return /[*•]/u.test(value);
  if (value === null || value === undefined || typeof value !== 'object') return false;
  return JSON.stringify(value).includes('*') || JSON.stringify(value).includes('•');
}
