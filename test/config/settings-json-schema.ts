import { z } from 'zod';
import { KINDS } from '../../src/source/kinds.ts';
import { distinctSchema, idPrefix, joinShape, kindSchema } from '../../src/config/schema/source-schema.ts';
import { personFields, positionQueryFields, unitFields } from '../../src/schema/field-schema.ts';
import { fileSchema } from '../../src/config/schema/settings-schema.ts';
import { ABOUT, text } from '../../src/schema/values.ts';

const { from } = joinShape;
const join = z
  .looseObject(joinShape)
  .describe(
    'Completes people with records of another source. It takes the keys of a part of that source: base, query, file or resource.',
  );
const joins = z
  .union([join, z.array(join)])
  .optional()
  .describe('Completes people from other sources.');
const units = z.looseObject({ from, fields: unitFields.describe(ABOUT.fields) });
const people = z.looseObject({ from, fields: personFields.describe(ABOUT.fields), join: joins });
const positions = z.looseObject({ from, fields: positionQueryFields.describe(ABOUT.fields) });

/** A file with several sources: what is asked of each depends on its kind, and is checked when it is loaded. */
const several = z.object({
  units: z.union([distinctSchema, units, z.array(units)]).describe(ABOUT.units),
  people: z.union([people, z.array(people)]).describe(ABOUT.people),
  positions: z
    .union([positions, z.array(positions)])
    .optional()
    .describe(ABOUT.positions),
});

const [first, ...others] = Object.values(KINDS).map(({ schema }) => schema);
const only = z.discriminatedUnion('type', [first!, ...others]);

const whole = fileSchema.extend({
  sources: z
    .record(text, z.looseObject({ type: kindSchema.describe(ABOUT.type), idPrefix }))
    .optional()
    .describe('Several sources by name.'),
  source: z.union([only, several]).describe('Where units and people are read.'),
});

/**
 * Returns the JSON Schema of the file as users write it, for their editors; committed as
 * config/rollcall.schema.json.
 */
export function settingsJsonSchema() {
  return {
    title: 'rollcall configuration',
    ...z.toJSONSchema(whole, { io: 'input' }),
  };
}
