import { z } from 'zod';
import { NOTIFY_ON } from '../../domain/settings.ts';
import { REMEDY, section, text } from './values.ts';

const audience = section({ usernames: z.array(text).default([]) }).refine(
  ({ usernames }) => usernames.length > 0,
  { error: `names nobody${REMEDY}add usernames` },
);

export const notifySchema = section({
  to: audience,
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default(['held', 'failed', 'partial', 'recovered'])
    .describe('What is told.'),
  language: z.enum(['en', 'zh']).default('en'),
  page: z
    .boolean()
    .default(true)
    .describe('Whether the plan goes along as a page, as a file, with the first message about what is held.'),
}).describe(
  'Who is told in the messenger what a run held, or why it failed. Sent with service.appToken where there is one, else with service.token.',
);
