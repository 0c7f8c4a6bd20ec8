import { z } from 'zod';
import { NOTIFY_ON } from '../../domain/settings.ts';
import { REMEDY, section, text } from '../../schema/values.ts';

const HOURS =
  /^(?<fromHour>[01]\d|2[0-3]):(?<fromMinute>[0-5]\d)-(?<toHour>[01]\d|2[0-3]):(?<toMinute>[0-5]\d)$/u;

const minutes = (hour = '0', minute = '0'): number => Number(hour) * 60 + Number(minute);

const quietHours = text
  .refine((hours) => HOURS.test(hours), {
    error: `is no span of a day${REMEDY}write it as 22:00-07:00`,
    abort: true,
  })
  .transform((hours) => {
    const { fromHour, fromMinute, toHour, toMinute } = HOURS.exec(hours)?.groups ?? {};
    return { from: minutes(fromHour, fromMinute), to: minutes(toHour, toMinute) };
  });

const audience = section({
  usernames: z.array(text).default([]).describe('Usernames of the people who receive the messages.'),
}).refine(({ usernames }) => usernames.length > 0, { error: `has no usernames${REMEDY}add usernames` });

export const notifySchema = section({
  to: audience.describe('Recipients.'),
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default(['held', 'failed', 'partial', 'recovered', 'changes'])
    .describe('Events that send a message; changes: joiners, leavers and moves, once a day.'),
  language: z.enum(['en', 'zh']).default('en').describe('Language of the messages.'),
  quietHours: quietHours
    .optional()
    .describe('Hours without messages, in sync.timezone, for example 22:00-07:00.'),
  page: z
    .boolean()
    .default(true)
    .describe('Whether the first message about held changes brings the plan as a page in a file.'),
}).describe(
  'Messages to people in the messenger. Sent with service.appToken, or with service.token if there is none.',
);
