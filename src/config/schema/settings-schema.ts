import { z } from 'zod';
import { approvalsSchema, httpSchema } from './approvals-schema.ts';
import { notifySchema } from './notify-schema.ts';
import { serviceSchema } from './service-schema.ts';
import { syncSchema } from './sync-schema.ts';
import { atLeastOne, REMEDY, section, text } from '../../schema/values.ts';

/** SQLite takes this for a database that no later run would find. */
const IN_MEMORY = ':memory:';

export const statePath = text
  .refine((path) => path !== IN_MEMORY, `is no file${REMEDY}write the path of a file`)
  .default('data/rollcall.db');

const inConfiguration = section({
  values: z.record(text, z.union([z.string(), z.number(), z.boolean()])).describe('Values by key.'),
});

const lookupFileSchema = section({
  file: text.describe('CSV in UTF-8 with a header, read by each run.'),
  key: text.describe('Column of keys.'),
  value: text.describe('Column of values.'),
});

/** Tables of `lookup(NAME, key)`. */
const lookupsSchema = z
  .record(
    text,
    z.union([inConfiguration, lookupFileSchema], {
      error: () =>
        `is no table${REMEDY}write { values: { KEY: value } }, or { file: …, key: COLUMN, value: COLUMN }`,
    }),
  )
  .default({})
  .describe("Tables of lookup('NAME', key).");

/**
 * The only place that has every key, its type and its default; types, checks and the JSON Schema are made
 * from it.
 */
export const fileSchema = section({
  service: serviceSchema.describe('The messaging service.'),
  // What stands in them depends on their kinds.
  source: z.looseObject({}),
  sources: z.record(text, z.looseObject({})).optional(),
  lookups: lookupsSchema,
  sync: syncSchema,
  state: section({
    path: statePath.describe('File of the ledger.'),
    keepDays: atLeastOne.default(400).describe('Days of history; of runs and calls at most 90.'),
  })
    .prefault({})
    .describe('The ledger.'),
  log: section({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('Least level that is written.'),
  })
    .prefault({})
    .describe('The log on stdout.'),
  notify: notifySchema.optional(),
  http: httpSchema.optional(),
  approvals: approvalsSchema.optional(),
});
