import { z } from 'zod';
import { NOTIFY_ON } from '../../domain/settings.ts';
import { REMEDY, section, text } from './values.ts';

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

const audience = section({ usernames: z.array(text).default([]) }).refine(
  ({ usernames }) => usernames.length > 0,
  { error: `names nobody${REMEDY}add usernames` },
);

export const notifySchema = section({
  to: audience,
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default(['held', 'failed', 'partial', 'recovered', 'changes'])
    .describe('What is told; changes: joiners, leavers and moves, once a day.'),
  language: z.enum(['en', 'zh']).default('en'),
  quietHours: quietHours
    .optional()
    .describe('Span of the day in sync.timezone, as 22:00-07:00, in which nobody is told anything.'),
  page: z
    .boolean()
    .default(true)
    .describe('Whether the plan goes along as a page, as a file, with the first message about what is held.'),
}).describe(
  'Who is told in the messenger what a run held, or why it failed. Sent with service.appToken where there is one, else with service.token.',
);
