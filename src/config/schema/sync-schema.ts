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
    .describe('Complete reads, at least 10 minutes apart, until a missing person is a leaver.'),
  action: z
    .enum(['disable', 'remove'])
    .default('disable')
    .describe('For missing people; inactive ones are always disabled.'),
  removeAfterDays: count
    .nullable()
    .default(null)
    .describe('Days after the disable until missing people are removed; null is never.'),
}).prefault({});

/** Accepts YAML's null as well: that is what the word null without quotes means. */
const clear = z
  .enum(['empty', 'null', 'omit'])
  .nullable()
  .default('empty')
  .transform((value) => value ?? 'null')
  .describe('Sent for emptied texts and lists (omit sends nothing); for others null.');

export const syncSchema = section({
  mode: z
    .enum(['apply', 'report'])
    .default('apply')
    .describe('What the daemon does with a plan, apply it or only report it.'),
  cron: cron.default('*/15 * * * *').describe('Schedule of the daemon.'),
  fullCron: cron.nullable().default('0 3 * * *').describe('Schedule of full runs; null is none.'),
  timezone: timezone.default('UTC').describe('Zone of schedules and days.'),
  root: text.nullable().default(null).describe('Source id of the unit that stands for the root.'),
  unitsGone: z.enum(['remove', 'keep']).default('remove').describe('What happens to missing units.'),
  leavers: leavers.describe('People who leave.'),
  clear,
  drift: z.enum(['repair', 'report']).default('repair').describe('What happens to edits in the service.'),
  unmapped: z
    .enum(['keep', 'omit'])
    .default('keep')
    .describe('Fields without a rule are sent along, or not.'),
  orphans: z
    .enum(['block', 'root'])
    .default('block')
    .describe('People without a known unit are blocked, or at the root.'),
  protect: section({
    usernames: z.array(text).default([]).describe('Usernames.'),
    units: z.array(text).default([]).describe('Source ids.'),
    where: expression.optional().describe('Over people; their last record counts too.'),
  })
    .prefault({})
    .describe('People never disabled or removed; units never moved or removed.'),
  guard: guard.describe('Limits in 24 hours; more is held.'),
})
  .prefault({})
  .describe('Schedules, leavers, guards.');
