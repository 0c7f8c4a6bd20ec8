import { z } from 'zod';
import { settingsSchema } from './settings-schema.ts';

/**
 * Returns the JSON Schema of the file as users write it, for their editors; committed as
 * config/rollcall.schema.json.
 */
export function settingsJsonSchema() {
  return {
    title: 'rollcall configuration',
    ...z.toJSONSchema(settingsSchema, { io: 'input' }),
  };
}
