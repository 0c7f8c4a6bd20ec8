import { z } from 'zod';
import { fieldRule } from './field-schema.ts';
import { REMEDY, section } from './checks/section.ts';
import { text } from './values.ts';

/** Keys of one part of `source` that say where it comes from, beside what is asked there. */
export const joinShape = {
  from: text,
  on: z
    .record(text, text)
    .refine((pairs) => Object.keys(pairs).length > 0, {
      error: `is empty${REMEDY}name what is equal on both sides, as in { employeeID: emp_no }`,
    })
    .describe('Own attribute: attribute or column of the other source.'),
  missing: z
    .enum(['block', 'empty'])
    .default('block')
    .describe('A person without a partner is left as it is and listed, or goes on without its values.'),
};

export const joinHead = section(joinShape);

/** Units that are made from values of people. */
export const distinctSchema = section({
  distinct: fieldRule.describe('A unit for each value; positions default to it.'),
  separator: z
    .string()
    .min(
      1,
      `is empty${REMEDY}write the text between a unit and those below it, as "/", or leave it out for one level`,
    )
    .optional()
    .describe('Separates a unit from those below it, as "/".'),
});

export const idPrefix = z.string().default('').describe('Stands before each id of this source.');
