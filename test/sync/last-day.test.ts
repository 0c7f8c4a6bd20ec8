import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { openWorld, person, unit, type World } from './world.ts';

const IDS = Array.from({ length: 200 }, (_, index) => String(index + 1));
const EIGHT = 8;
const ALL = IDS.map((id) => person(id));
const UNITS = [unit('u1'), ...IDS.slice(0, 60).map((id) => unit(`d${id}`, 'u1'))];

/** Returns everybody but the eight whose turn it is. */
const withoutEight = (round: number) => ALL.filter((_, index) => Math.floor(index / EIGHT) !== round);

/** Returns everybody; the eight whose turn it is say that they have left. */
const withEightLeft = (round: number) =>
  ALL.map((one, index) => (Math.floor(index / EIGHT) === round ? person(one.id, { active: false }) : one));

/** Ids of the accounts that work. */
const working = ({ sandbox }: World): ReadonlySet<string> =>
  new Set(sandbox.state.employees().flatMap(({ id, locked }) => (locked ? [] : [id])));

const openCompany = (action: 'disable' | 'remove'): Promise<World> =>
  openWorld({
    units: UNITS,
    people: ALL,
    sync: { guard: SYNC.guard, leavers: { ...SYNC.leavers, action, misses: 1, missEveryMinutes: 0 } },
  });

describe('a source that loses eight others in each read, every 20 minutes', () => {
  test.each([
    ['disable', 'say that they have left', withEightLeft],
    ['disable', 'are missing', withoutEight],
    ['remove', 'are missing', withoutEight],
  ] as const)('action %s: of those who %s, no more go than in one day', async (action, _, people) => {
    const world = await openCompany(action);
    await world.sync();
    const before = working(world);
    for (let round = 0; round < 6; round += 1) {
      world.change(() => ({ people: people(round) }));
      world.minutes(20);
      expect((await world.sync()).exitCode, `read ${round}`).toBe(round === 0 ? 0 : 3);
      expect([...before].filter((id) => !working(world).has(id)).length).toBeLessThanOrEqual(EIGHT);
    }
    world.change(() => ({ people: ALL }));
    world.minutes(20);
    expect((await world.sync()).exitCode).toBe(0);
    expect(working(world).size).toBe(IDS.length);
    world.change(() => ({ people: people(20) }));
    expect((await world.sync()).exitCode, 'on the same day').toBe(3);
    world.minutes(24 * 60);
    expect((await world.sync()).exitCode, 'a day later').toBe(0);
  });

  test('units too: those that are back by now count as removed', async () => {
    const world = await openCompany('disable');
    await world.sync();
    const nodes = new Set(world.sandbox.state.organizations().map(({ id }) => id));
    for (let round = 0; round < 4; round += 1) {
      world.change(() => ({
        units: UNITS.filter((_, index) => index === 0 || Math.floor((index - 1) / 3) !== round),
      }));
      world.minutes(20);
      expect((await world.sync()).exitCode, `read ${round}`).toBe(round === 0 ? 0 : 3);
    }
    const there = new Set(world.sandbox.state.organizations().map(({ id }) => id));
    expect([...nodes].filter((id) => !there.has(id))).toHaveLength(3);
  });

  test('what a person approved does not count against the limit', async () => {
    const world = await openCompany('disable');
    await world.sync();
    world.change(() => ({ people: ALL.slice(12) }));
    const held = await world.sync();
    expect(held.exitCode).toBe(3);
    expect((await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(working(world).size).toBe(IDS.length - 12);
    world.change(() => ({ people: ALL.slice(12 + EIGHT) }));
    world.minutes(20);
    expect((await world.sync()).exitCode).toBe(0);
  });

  test('a guard of 100 percent is off, whatever was sent', async () => {
    const world = await openCompany('disable');
    world.configure({ guard: { ...SYNC.guard, leavers: { percent: 100, count: 0 } } });
    await world.sync();
    for (const left of [10, 60, 190]) {
      world.change(() => ({ people: ALL.slice(left) }));
      world.minutes(20);
      expect((await world.sync()).exitCode).toBe(0);
    }
    expect(working(world).size).toBe(10);
  });
});
