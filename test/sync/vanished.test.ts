import { describe, expect, test } from 'vitest';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { SMALL, loadedWorld, person, type World } from './world.ts';

const LEAVERS = Array.from({ length: 10 }, (_, index) => person(`w${index}`));
const DISABLED = Array.from({ length: 10 }, (_, index) => person(`d${index}`));
const inactive = DISABLED.map((one) => ({ ...one, active: false }));
/** `null`: any number, also more than half of all. */
const few = (gone: number | null, misses: number) => ({
  guard: gone === null ? NO_GUARD : { ...NO_GUARD, gone: { percent: 0, count: gone } },
  leavers: { ...SYNC.leavers, misses },
});

/** Ten are disabled by us, ten are missing once, three stay. */
async function waiting(gone: number | null): Promise<World> {
  const world = await loadedWorld({ people: [...SMALL.people, ...LEAVERS, ...DISABLED], sync: few(gone, 2) });
  await world.syncAfter(() => ({ people: [...SMALL.people, ...LEAVERS, ...inactive] }));
  world.minutes(15);
  expect((await world.syncAfter(() => ({ people: [...SMALL.people, ...inactive] }))).exitCode).toBe(0);
  world.minutes(15);
  return world;
}

/** A full run in which the service shows nobody; nothing is imported meanwhile. */
async function forgetful(world: World) {
  world.sandbox.setReadings(['forgetful']);
  const ran = await world.sync({ full: true });
  world.sandbox.setReadings([]);
  return ran;
}

const lockedOf = (world: World, people: readonly { readonly username: string }[]): readonly boolean[] => [
  ...new Set(people.map(({ username }) => world.employee(username).locked)),
];

describe('a service that shows nobody for a while', () => {
  test('makes nobody removed: what vanished is held as gone, with a hash, and changes nothing', async () => {
    const world = await waiting(5);
    const ran = await forgetful(world);
    expect(ran.exitCode).toBe(3);
    const gone = ran.plan?.held.filter(({ guard }) => guard === 'gone') ?? [];
    expect(gone).toMatchObject([{ count: 23, limit: 5 }]);
    expect(ran.changing).toEqual([]);
    const next = await world.sync({ full: true });
    expect([next.exitCode, next.changing.length, next.inside]).toEqual([0, 10, []]);
    expect(lockedOf(world, [...LEAVERS, ...DISABLED])).toEqual([true]);
  });

  test('though nothing is held: what shows up again is what it was', async () => {
    const world = await waiting(null);
    const ran = await forgetful(world);
    expect(ran.exitCode).not.toBe(1);
    expect(ran.planned.filter((text) => text.startsWith('forget'))).toHaveLength(20);
    const next = await world.sync({ later: 15, full: true });
    expect(next.inside).toEqual([]);
    expect(lockedOf(world, LEAVERS)).toEqual([true]);
    world.change(() => ({ people: [...SMALL.people, ...DISABLED] }));
    const back = await world.sync({ later: 15, full: true });
    expect(back.listed.filter((text) => text.includes('somebody else'))).toEqual([]);
    expect(lockedOf(world, DISABLED)).toEqual([false]);
  });
});

async function removed(gone: number | null): Promise<World> {
  const world = await waiting(gone);
  for (const { username } of [...LEAVERS, ...DISABLED]) world.sandbox.edit.removeEmployee(username);
  return world;
}

describe('leavers whose accounts somebody removed', () => {
  test('are forgotten once that is approved, and not looked for as leavers any more', async () => {
    const world = await removed(5);
    const held = await world.sync({ full: true });
    expect([held.exitCode, held.planned.length, held.changing]).toEqual([3, 20, []]);
    const again = await world.sync({ later: 15 });
    expect(again.plan?.held[0]?.hash).toBe(held.plan?.held[0]?.hash);
    const ran = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    expect([ran.exitCode, ran.changing, ran.inside]).toEqual([0, [], []]);
    expect((await world.sync({ full: true })).planned).toEqual([]);
  });
});
