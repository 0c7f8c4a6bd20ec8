import { z } from 'zod';
import { REMEDY, section } from './checks/section.ts';
import { text } from './values.ts';

const inConfiguration = section({
  values: z.record(text, z.union([z.string(), z.number(), z.boolean()])).describe('KEY: value'),
});

export const lookupFileSchema = section({
  file: text.describe('CSV in UTF-8, with the names of the columns in its first line; read at each run.'),
  key: text.describe('Name of the column with the keys.'),
  value: text.describe('Name of the column with the values.'),
  separator: z.string().length(1, `is no separator${REMEDY}write one character`).default(','),
});

/** Tables of `lookup(NAME, key)`. */
export const lookupsSchema = z
  .record(
    text,
    z.union([inConfiguration, lookupFileSchema], {
      error: () =>
        `is no table${REMEDY}write { values: { KEY: value } }, or { file: …, key: COLUMN, value: COLUMN }`,
    }),
  )
  .default({})
  .describe("Tables of lookup('NAME', key) in expressions.");
