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
  from: text.describe('A name in sources.'),
  on: z
    .record(text, text)
    .refine((pairs) => Object.keys(pairs).length > 0, {
      error: `is empty${REMEDY}name what is equal on both sides, as in { employeeID: emp_no }`,
    })
    .describe('Own attribute and the other’s, which are equal.'),
  missing: z
    .enum(['block', 'empty'])
    .default('block')
    .describe('People without a partner are skipped, or mapped without its values.'),
};

export const joinHead = section(joinShape);

/** Units that are made from values of people. */
export const distinctSchema = section({
  distinct: fieldRule.describe('Rule over people whose values are units; positions default to it.'),
  separator: z
    .string()
    .min(
      1,
      `is empty${REMEDY}write the text between a unit and those below it, as "/", or leave it out for one level`,
    )
    .optional()
    .describe('Text between levels.'),
});

export const idPrefix = z.string().default('').describe('Text before each id.');
