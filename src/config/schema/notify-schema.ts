import { z } from 'zod';
import { NOTIFY_ON } from '../../domain/settings.ts';
import { REMEDY, section, text } from '../../schema/values.ts';

const audience = section({
  usernames: z.array(text).default([]).describe('Usernames.'),
}).refine(({ usernames }) => usernames.length > 0, { error: `has no usernames${REMEDY}add usernames` });

export const notifySchema = section({
  to: audience.describe('Recipients.'),
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default([...NOTIFY_ON])
    .describe('What is held or fails; joiners, leavers, moves once a day.'),
  language: z.enum(['en', 'zh']).default('en').describe('Language of messages.'),
}).describe('Messages in the messenger, sent with service.appToken, else service.token.');
