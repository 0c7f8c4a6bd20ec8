import { z } from 'zod';
import { approvalsSchema } from './approvals-schema.ts';
import { section } from './checks/section.ts';
import { serviceSchema } from './service-schema.ts';
import { httpSchema } from './http-schema.ts';
import { lookupsSchema } from './lookups-schema.ts';
import { notifySchema } from './notify-schema.ts';
import { sourceSchema } from './source-schema.ts';
import { syncSchema } from './sync-schema.ts';
import { atLeastOne, text } from './values.ts';

export const statePath = text.default('data/rollcall.db');

/**
 * The only place that has every key, its type and its default; types, checks and the JSON Schema are made
 * from it.
 */
export const settingsSchema = section({
  service: serviceSchema,
  source: sourceSchema,
  lookups: lookupsSchema,
  sync: syncSchema,
  state: section({
    path: statePath,
    keepDays: atLeastOne
      .default(400)
      .describe('Days for which the history is kept; runs and calls for 90 of them at most.'),
    historyFile: text
      .optional()
      .describe('File to which applied changes are appended as JSON lines; nothing in it is ever removed.'),
  }).prefault({}),
  log: section({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
  notify: notifySchema.optional(),
  http: httpSchema.optional(),
  approvals: approvalsSchema.optional(),
});

/** All but the source, for a file with several of them. */
export const restSchema = settingsSchema.omit({ source: true });
