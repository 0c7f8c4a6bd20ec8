import { z } from 'zod';
import type { Guard, GuardLimit } from '../../domain/settings.ts';
import { expression } from '../../schema/field-schema.ts';
import { cron, timezone } from './cron.ts';
import { atLeastOne, count, percent, section, text } from '../../schema/values.ts';

/** Defaults of the contract: a guard trips strictly above the larger of the two limits. */
const GUARD_LIMITS = {
  leavers: { percent: 5, count: 5 },
  joiners: { percent: 30, count: 20 },
  updates: { percent: 30, count: 20 },
  emptied: { percent: 10, count: 5 },
  unexplained: { percent: 0, count: 1 },
  unitsRemoved: { percent: 5, count: 3 },
  unitsMoved: { percent: 20, count: 5 },
  gone: { percent: 5, count: 5 },
  adopted: { percent: 5, count: 5 },
} as const satisfies Partial<Record<Guard, GuardLimit>>;

/** Limit of the guards that hold everything, with any configuration. */
const ALWAYS_HELD = { percent: 0, count: 0 } as const satisfies GuardLimit;

function guardLimit(guard: keyof typeof GUARD_LIMITS) {
  const limit = GUARD_LIMITS[guard];
  return section({
    percent: percent
      .default(limit.percent)
      .describe('Percent of the managed and active records; 100 switches the guard off.'),
    count: count
      .default(limit.count)
      .describe('Number of changes. The larger of percent and count is the limit.'),
  }).prefault({});
}

const guard = section({
  leavers: guardLimit('leavers').describe('People who would be disabled or removed.'),
  joiners: guardLimit('joiners').describe(
    'People who would be created or enabled. Does not apply to the first load.',
  ),
  updates: guardLimit('updates').describe('People and units with other changed fields.'),
  emptied: guardLimit('emptied').describe('People who would lose the value of one field.'),
  unexplained: guardLimit('unexplained').describe(
    'People and units that come, go or move without an explanation in their own record.',
  ),
  unitsRemoved: guardLimit('unitsRemoved').describe('Units that would be removed.'),
  unitsMoved: guardLimit('unitsMoved').describe('Units that would get another parent.'),
  gone: guardLimit('gone').describe('Managed records that the service does not have any more.'),
  adopted: guardLimit('adopted').describe('Adopted records of which a visible field would change.'),
})
  .prefault({})
  .transform((limits) => ({ ...limits, lost: ALWAYS_HELD, source: ALWAYS_HELD, usernameReuse: ALWAYS_HELD }));

const leavers = section({
  misses: atLeastOne
    .default(2)
    .describe('Complete reads without a person after which the person counts as a leaver.'),
  missEveryMinutes: count.default(10).describe('Minutes between two such reads at least.'),
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
  cron: cron
    .default('*/15 * * * *')
    .describe('Schedule of the daemon: minute hour day-of-month month day-of-week.'),
  fullCron: cron
    .nullable()
    .default('0 3 * * 0')
    .describe('Schedule of full reads of the service; null: none.'),
  sourceFullCron: cron
    .nullable()
    .default('0 2 * * *')
    .describe('Schedule of full reads of the source with source.changes: auto; null: none.'),
  timezone: timezone.default('UTC').describe('Time zone of schedules, days and quietHours.'),
  runAtStart: z.boolean().default(true).describe('Whether the daemon begins with a run.'),
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
  guard: guard.describe('Limits of changes in one run and in 24 hours; larger changes are held.'),
})
  .prefault({})
  .describe('Schedules, leavers and guards.');
