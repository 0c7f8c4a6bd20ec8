import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import { at, openWorld, person, unit, type PersonParts, type World } from './world.ts';

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

async function loaded(world: World): Promise<World> {
  await world.sync();
  world.minutes(20);
  return world;
}

describe('the estimate is near what a run sends', () => {
  test('of a first load', async () => {
    expect(
      farOff(await sent(await openWorld({ units: units(130), people: people(1_050), sync: SYNC }))),
    ).toBeNull();
  });

  test('of leavers', async () => {
    const world = await loaded(await openWorld({ people: people(450), sync: SYNC }));
    world.change(({ people: all }) => ({ people: all.slice(60) }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of leavers who are removed', async () => {
    const leavers = { misses: 1, missEveryMinutes: 10, action: 'remove', removeAfterDays: null } as const;
    const world = await loaded(await openWorld({ people: people(450), sync: { ...SYNC, leavers } }));
    world.change(({ people: all }) => ({ people: all.slice(60) }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of rehires', async () => {
    const all = people(300);
    const world = await loaded(await openWorld({ people: all, sync: SYNC }));
    world.change(() => ({ people: all.slice(40) }));
    await world.sync();
    world.minutes(20);
    world.change(() => ({ people: all }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of renamed units', async () => {
    const world = await loaded(await openWorld({ units: units(30), people: people(20), sync: SYNC }));
    const renamed = units(30).map((one) => ({ ...one, fields: { name: `${one.id} renamed` } }));
    world.change(() => ({ units: renamed }));

    expect(farOff(await sent(world))).toBeNull();
  });

  test('of removed units', async () => {
    const world = await loaded(await openWorld({ units: units(30), people: people(20), sync: SYNC }));
    world.change(() => ({ units: units(5) }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of moved units with their people', async () => {
    const company = [unit('u1'), unit('u2'), ...Array.from({ length: 12 }, (_, n) => unit(`w${n}`, 'u1'))];
    const world = await loaded(
      await openWorld({
        units: company,
        people: people(240).map((one, n) => ({ ...one, positions: [at(`w${n % 12}`)] })),
        sync: SYNC,
      }),
    );
    world.change(() => ({
      units: company.map((one) => (one.parent === 'u1' ? { ...one, parent: 'u2' } : one)),
    }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of changed people', async () => {
    const world = await loaded(await openWorld({ people: people(450), sync: SYNC }));
    world.change(() => ({ people: people(450, { fields: { email: 'new@example.com' } }) }));
    expect(farOff(await sent(world))).toBeNull();
  });

  test('of an adopted organization', async () => {
    const world = await loaded(await openWorld({ units: units(30), people: people(300), sync: SYNC }));
    world.loseLedger();
    expect(farOff(await sent(world))).toBeNull();
  });
});
