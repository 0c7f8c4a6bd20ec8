import { z } from 'zod';
import {
  guardLimit,
  GUARDS,
  LIMITED_GUARDS,
  type GuardLimit,
  type LimitedGuard,
} from '../../domain/guards.ts';
import { expression } from '../../schema/field-schema.ts';
import { cron, timezone } from './cron.ts';
import { atLeastOne, count, REMEDY, section, text } from '../../schema/values.ts';

const FORM = `is no limit of a guard${REMEDY}write "5 % or 5" (the larger counts), "5 %", 5 or off`;

/** One short value: the larger of a percentage and a number. */
function guardSetting(guard: LimitedGuard) {
  const { limit, counts } = GUARDS[guard];
  return z
    .union([z.string(), z.number()], { error: () => FORM })
    .default(limit)
    .transform((value) => String(value).trim())
    .refine((value) => guardLimit(value) !== null, { error: FORM, abort: true })
    .transform((value) => guardLimit(value) ?? ALWAYS_HELD)
    .describe(counts);
}

/** Limit of the guards that hold everything, with any configuration. */
const ALWAYS_HELD: GuardLimit = { percent: 0, count: 0 };

const guard = section(
  Object.fromEntries(LIMITED_GUARDS.map((name) => [name, guardSetting(name)])) as Record<
    LimitedGuard,
    ReturnType<typeof guardSetting>
  >,
)
  .prefault({})
  .transform((limits) => ({ ...limits, lost: ALWAYS_HELD, source: ALWAYS_HELD, usernameReuse: ALWAYS_HELD }));

const leavers = section({
  misses: atLeastOne
    .default(2)
    .describe(
      'Complete reads without a person, at least 10 minutes apart, after which the person counts as a leaver.',
    ),
  action: z
    .enum(['disable', 'remove'])
    .default('disable')
    .describe('What happens to people who are missing. Inactive people are always disabled.'),
  removeAfterDays: count
    .nullable()
    .default(null)
    .describe('Days after the disable after which a missing person is removed; null: never.'),
}).prefault({});

/** Accepts YAML's null as well: that is what the word null without quotes means. */
const clear = z
  .enum(['empty', 'null', 'omit'])
  .nullable()
  .default('empty')
  .transform((value) => value ?? 'null')
  .describe(
    'What is sent for a field that becomes empty: an empty value, null, or nothing (omit). Numbers, dates, true and false have no empty value: null is sent.',
  );

export const syncSchema = section({
  mode: z
    .enum(['apply', 'report'])
    .default('apply')
    .describe('What the daemon does with a plan: sends it (apply), or only reports it (report).'),
  cron: cron
    .default('*/15 * * * *')
    .describe('Schedule of the daemon: minute hour day-of-month month day-of-week.'),
  fullCron: cron
    .nullable()
    .default('0 3 * * *')
    .describe('Schedule of runs that read all of source and service; null: none.'),
  timezone: timezone.default('UTC').describe('Time zone of schedules and days.'),
  root: text
    .nullable()
    .default(null)
    .describe('Source id of the unit that stands for the root of the service.'),
  unitsGone: z
    .enum(['remove', 'keep'])
    .default('remove')
    .describe('What happens to units that are missing in the source.'),
  leavers: leavers.describe('What happens to people who leave.'),
  clear,
  drift: z
    .enum(['repair', 'report'])
    .default('repair')
    .describe('Edits of managed fields in the service: repaired, or only reported.'),
  unmapped: z
    .enum(['keep', 'omit'])
    .default('keep')
    .describe('Visible fields without a rule: sent along in each write (keep), or not sent (omit).'),
  orphans: z
    .enum(['block', 'root'])
    .default('block')
    .describe('People without a known unit: blocked, or placed at the root.'),
  protect: section({
    usernames: z.array(text).default([]).describe('Usernames of people.'),
    units: z.array(text).default([]).describe('Source ids of units.'),
    where: expression
      .optional()
      .describe(
        'Condition over the records of people. It also counts for people whose last record fulfilled it.',
      ),
  })
    .prefault({})
    .describe('People who are never disabled or removed, and units that are never moved or removed.'),
  guard: guard.describe(
    'Limits of changes in one run and in 24 hours: "5 % or 5" (the larger counts), "5 %", 5 or off. Larger changes are held.',
  ),
})
  .prefault({})
  .describe('Schedules, leavers and guards.');
