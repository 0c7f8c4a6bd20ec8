import { z } from 'zod';
import { section } from './section.ts';
import { serviceSchema } from './service-schema.ts';
import { httpSchema } from './http-schema.ts';
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
  sync: syncSchema,
  state: section({ path: statePath, keepDays: atLeastOne.default(90) }).prefault({}),
  log: section({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
  notify: notifySchema.optional(),
  http: httpSchema.optional(),
});

export type SettingsInput = z.output<typeof settingsSchema>;
