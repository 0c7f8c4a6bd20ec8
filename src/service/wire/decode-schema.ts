import type { DataSchema } from '../../domain/records/data-schema.ts';
import { isObject, shownText, textOrNull, type WireObject } from './decode.ts';

const NAMES = ['property', 'name', 'alias', 'en_alias', 'tw_alias'] as const;

/** Returns the schemas that a record of the employees list shows, as they are. */
export function schemasIn(record: WireObject): readonly WireObject[] {
  const { data_schemas: schemas } = record;
  return Array.isArray(schemas) ? schemas.filter(isObject) : [];
}

/** Decodes a schema (interface, "DataSchema"); `null`: it has no id. */
export function decodeSchema(schema: WireObject): DataSchema | null {
  const id = textOrNull(schema['id']);
  if (id === null) return null;
  const names = NAMES.map((name) => textOrNull(schema[name])?.trim() ?? '').filter((name) => name !== '');
  return {
    id,
    names: [...new Set(names)],
    type: textOrNull(schema['type']) ?? '',
    options: optionsOf(schema['options']),
    min: limitOf(schema['min']),
    max: limitOf(schema['max']),
  };
}

/** Returns a limit; -1 means that it is not set (interface). */
function limitOf(value: unknown): number | null {
  const text = shownText(value);
  const limit = typeof text === 'string' && text !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(limit) && limit !== -1 ? limit : null;
}

/**
 * Returns the values that may be chosen. The interface does not show their form: of an option with several values each
 * counts.
 */
function optionsOf(options: unknown): readonly string[] {
  if (!Array.isArray(options)) return [];
  const texts = options.flatMap((option: unknown) =>
    (isObject(option) ? Object.values(option) : [option]).map((value) => textOrNull(value)),
  );
  return texts.filter((text) => text !== null);
}
