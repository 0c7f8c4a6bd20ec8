import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import { at, openWorld, person, unit, type PersonParts, type World, type WorldOptions } from './world.ts';

/** Calls of apply and verify: those after the plan was made. */
async function sent(world: World): Promise<{ readonly planned: number; readonly real: number }> {
  const before = world.sandbox.calls.length;
  const planned = (await world.plan()).plan?.calls ?? -1;
  const reading = world.sandbox.calls.length - before;
  const { calls, exitCode } = await world.sync();
  expect(exitCode).toBe(0);
  return { planned, real: calls.length - reading };
}

/** Off by a quarter at most, or by a single call; else both numbers. */
function farOff({ planned, real }: Awaited<ReturnType<typeof sent>>): string | null {
  return Math.abs(planned - real) <= Math.max(1, real / 4) ? null : `${planned} planned, ${real} sent`;
}

const people = (count: number, parts: PersonParts = {}) =>
  Array.from({ length: count }, (_, n) => {
    const id = `${n}`.padStart(5, '0');
    return person(id, { username: `name.of.person.${id}`, ...parts });
  });
const units = (count: number) => [
  unit('u1'),
  ...Array.from({ length: count }, (_, n) => unit(`w${n}`, 'u1')),
];

const SYNC = {
  leavers: { misses: 1, missEveryMinutes: 10, action: 'disable', removeAfterDays: null },
  guard: NO_GUARD,
} as const satisfies Partial<SyncSettings>;

const company = [unit('u1'), unit('u2'), ...Array.from({ length: 12 }, (_, n) => unit(`w${n}`, 'u1'))];
const REMOVED = { ...SYNC, leavers: { ...SYNC.leavers, action: 'remove' } } as const;
const without =
  (count: number): Change =>
  (now) => ({ people: now.people.slice(count) });

type Change = Parameters<World['change']>[0];

/** A company that is loaded, and how it changes. */
const CASES: readonly (readonly [string, WorldOptions, Change])[] = [
  ['leavers', { people: people(450) }, without(60)],
  ['leavers who are removed', { people: people(450), sync: REMOVED }, without(60)],
  [
    'renamed units',
    { units: units(30), people: people(20) },
    () => ({ units: units(30).map((one) => ({ ...one, fields: { name: `${one.id} renamed` } })) }),
  ],
  ['removed units', { units: units(30), people: people(20) }, () => ({ units: units(5) })],
  [
    'moved units with their people',
    { units: company, people: people(240).map((one, n) => ({ ...one, positions: [at(`w${n % 12}`)] })) },
    () => ({ units: company.map((one) => (one.parent === 'u1' ? { ...one, parent: 'u2' } : one)) }),
  ],
  [
    'changed people',
    { people: people(450) },
    () => ({ people: people(450, { fields: { email: 'new@example.com' } }) }),
  ],
];

async function loaded(options: WorldOptions): Promise<World> {
  const world = await openWorld({ sync: SYNC, ...options });
  await world.sync();
  world.minutes(20);
  return world;
}

describe('the estimate is near what a run sends', () => {
  test('of a first load', async () => {
    const world = await openWorld({ units: units(130), people: people(1_050), sync: SYNC });
    expect(farOff(await sent(world))).toBeNull();
  });

  test.each(CASES)('of %s', async (_, options, change) => {
    const world = await loaded(options);
    world.change(change);
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of rehires', async () => {
    const all = people(300);
    const world = await loaded({ people: all });
    world.change(without(40));
    await world.sync();
    world.minutes(20);
    world.change(() => ({ people: all }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of an adopted organization', async () => {
    const world = await loaded({ units: units(30), people: people(300) });
    world.loseLedger();
    expect(farOff(await sent(world))).toBeNull();
  });
});
