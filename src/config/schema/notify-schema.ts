import { z } from 'zod';
import { NOTIFY_ON } from '../../domain/settings.ts';
import { REMEDY, section, text } from '../../schema/values.ts';

const audience = section({
  usernames: z.array(text).default([]).describe('Usernames of the people who receive the messages.'),
}).refine(({ usernames }) => usernames.length > 0, { error: `has no usernames${REMEDY}add usernames` });

export const notifySchema = section({
  to: audience.describe('Recipients.'),
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default([...NOTIFY_ON])
    .describe(
      'What is sent. problems: what is held, fails or is well again; changes: joiners, leavers and moves, once a day.',
    ),
  language: z.enum(['en', 'zh']).default('en').describe('Language of the messages.'),
}).describe(
  'Messages to people in the messenger. Sent with service.appToken, or with service.token if there is none.',
);
