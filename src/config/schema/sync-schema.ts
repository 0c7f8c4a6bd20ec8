import { z } from 'zod';
import type { Guard, GuardLimit } from '../../domain/settings.ts';
import { expression } from './field-schema.ts';
import { atLeastOne, count, cron, percent, section, text, timezone } from './values.ts';

/** Defaults of the contract: a guard trips strictly above the larger of the two limits. */
const GUARD_LIMITS = {
  leavers: { percent: 5, count: 5 },
  joiners: { percent: 30, count: 20 },
  updates: { percent: 30, count: 20 },
  emptied: { percent: 30, count: 5 },
  unexplained: { percent: 0, count: 1 },
  unitsRemoved: { percent: 5, count: 3 },
  unitsMoved: { percent: 20, count: 5 },
  gone: { percent: 5, count: 5 },
  adopted: { percent: 5, count: 5 },
} as const satisfies Partial<Record<Guard, GuardLimit>>;

/** What is held whatever the configuration says. */
const ALWAYS_HELD = { percent: 0, count: 0 } as const satisfies GuardLimit;

function guardLimit(guard: keyof typeof GUARD_LIMITS) {
  const limit = GUARD_LIMITS[guard];
  return section({
    percent: percent.default(limit.percent),
    count: count.default(limit.count),
  }).prefault({});
}

const guard = section({
  leavers: guardLimit('leavers').describe('disable + remove'),
  joiners: guardLimit('joiners').describe('Creations and enables; not on the first load.'),
  updates: guardLimit('updates'),
  emptied: guardLimit('emptied').describe(
    'One field, property, field of positions, or the positions, turning empty on many.',
  ),
  unexplained: guardLimit('unexplained').describe(
    'People and units that come, go or move though no value of their own records explains it.',
  ),
  unitsRemoved: guardLimit('unitsRemoved'),
  unitsMoved: guardLimit('unitsMoved'),
  gone: guardLimit('gone').describe(
    'Managed records that vanished from the service, leavers and disabled ones too.',
  ),
  adopted: guardLimit('adopted').describe('Adopted records on which something shown would change.'),
})
  .prefault({})
  .transform((limits) => ({
    ...limits,
    lost: ALWAYS_HELD,
    source: ALWAYS_HELD,
    usernameReuse: ALWAYS_HELD,
  }));

const leavers = section({
  misses: atLeastOne.default(2).describe('Missing in so many complete runs …'),
  missEveryMinutes: count.default(10).describe('… so far apart at least.'),
  action: z.enum(['disable', 'remove']).default('disable'),
  removeAfterDays: count.nullable().default(null).describe('After our own disable; null: never.'),
}).prefault({});

/** Accepts YAML's null as well: that is what the word null without quotes means. */
const clear = z
  .enum(['empty', 'null', 'omit'])
  .nullable()
  .default('empty')
  .transform((value) => value ?? 'null');

export const syncSchema = section({
  cron: cron.default('*/15 * * * *'),
  fullCron: cron.nullable().default('0 3 * * 0').describe('A full read of the service; null: none.'),
  sourceFullCron: cron
    .nullable()
    .default('0 2 * * *')
    .describe(
      'With source.changes: auto, a full read of the source; null: none, so nobody checks increments.',
    ),
  timezone: timezone.default('UTC'),
  runAtStart: z.boolean().default(true),
  root: text.nullable().default(null).describe("A unit id: it is the service's root."),
  unitsGone: z.enum(['remove', 'keep']).default('remove'),
  leavers,
  clear,
  drift: z.enum(['repair', 'report']).default('repair'),
  unmapped: z
    .enum(['keep', 'omit'])
    .default('keep')
    .describe('keep: what is shown and not mapped goes along in a write; omit: it is left out.'),
  orphans: z.enum(['block', 'root']).default('block'),
  protect: section({
    usernames: z.array(text).default([]),
    units: z.array(text).default([]),
    where: expression.optional().describe('People for which it holds, or held when they were last read.'),
  })
    .prefault({})
    .describe('Never disabled, removed, moved.'),
  guard,
}).prefault({});
