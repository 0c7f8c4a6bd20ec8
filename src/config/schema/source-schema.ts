import { z } from 'zod';
import { fieldRule } from '../../schema/field-schema.ts';
import { REMEDY, section, text } from '../../schema/values.ts';
import { KINDS, type SourceKind } from '../../source/kinds.ts';

const kinds = Object.keys(KINDS) as SourceKind[];

export const kindSchema = z.enum(kinds, {
  error: `is no kind of source${REMEDY}write ${kinds.map((kind) => `type: ${kind}`).join(' or ')}`,
});

/** Keys of one part of `source` that say where it comes from, in addition to what is asked there. */
export const joinShape = {
  from: text.describe('Name of one of sources.'),
  on: z
    .record(text, text)
    .refine((pairs) => Object.keys(pairs).length > 0, {
      error: `is empty${REMEDY}name what is equal on both sides, as in { employeeID: emp_no }`,
    })
    .describe('OWN_ATTRIBUTE: attribute or column of the other source. Both values must be equal.'),
  missing: z
    .enum(['block', 'empty'])
    .default('block')
    .describe('People without a partner: skipped and listed (block), or mapped without its values (empty).'),
};

export const joinHead = section(joinShape);

/** Units that are made from values of people. */
export const distinctSchema = section({
  distinct: fieldRule.describe('Rule over people. Each value is a unit; positions default to it.'),
  separator: z
    .string()
    .min(
      1,
      `is empty${REMEDY}write the text between a unit and those below it, as "/", or leave it out for one level`,
    )
    .optional()
    .describe('Text between a unit and the unit below it, for example "/".'),
});

export const idPrefix = z.string().default('').describe('Text before each id of this source.');
