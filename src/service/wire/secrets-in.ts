import { PERSON_FIELDS, type FieldSpec } from '../../domain/records/fields.ts';

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

/** Returns the secrets in a body: passwords, credentials and the like, wherever they stand. */
export function secretsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    SPECS[name]?.secret === true ? textsIn(one) : secretsIn(one),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
