import { z } from 'zod';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import { distinctSchema, idPrefix, joinShape, sourceSchema } from './source-schema.ts';
import { personFields, positionQueryFields, unitFields } from './field-schema.ts';
import { settingsSchema } from './settings-schema.ts';
import { text } from './values.ts';

const from = text.describe('Name of one of sources.');
const join = z
  .looseObject(joinShape)
  .describe('Completes people by records of another source; what to ask there.');
const joins = z.union([join, z.array(join)]).optional();
const units = z.looseObject({ from, fields: unitFields });
const people = z.looseObject({ from, fields: personFields, join: joins });
const positions = z.looseObject({ from, fields: positionQueryFields });

/** A file with several sources: what is asked of each depends on its kind, and is checked when it is loaded. */
const several = z.object({
  units: z.union([distinctSchema, units, z.array(units)]),
  people: z.union([people, z.array(people)]),
  positions: z.union([positions, z.array(positions)]).optional(),
});

const kind = z.enum(Object.keys(SOURCE_KINDS));

const fileSchema = settingsSchema.extend({
  sources: z
    .record(text, z.looseObject({ type: kind, idPrefix }))
    .optional()
    .describe('Several sources by name; source then says which part comes from which.'),
  source: z.union([sourceSchema, several]),
});

/**
 * Returns the JSON Schema of the file as users write it, for their editors; committed as
 * config/rollcall.schema.json.
 */
export function settingsJsonSchema() {
  return {
    title: 'rollcall configuration',
    ...z.toJSONSchema(fileSchema, { io: 'input' }),
  };
}
