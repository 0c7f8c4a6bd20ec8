import { describe, expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { person, openWorld, SMALL, type World, type WorldOptions } from './world.ts';

const DAY = 24 * 60;
const LEAVERS = { misses: 1, missEveryMinutes: 10, action: 'disable', removeAfterDays: 30 } as const;

/** Person 1 is missing and disabled by us. */
async function disabledWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ ...options, sync: { leavers: LEAVERS, ...options.sync } });
  await world.sync();
  world.change(() => ({ people: SMALL.people.slice(1) }));
  expect((await world.sync()).changing).toEqual(['disableEmployee']);
  return world;
}

describe('a missing person whom we disabled and somebody enabled', () => {
  test.each([false, true])('is disabled again (full run: %s)', async (full) => {
    const world = await disabledWorld();
    world.minutes(60);
    world.sandbox.edit.unlockEmployee('l1');
    const ran = await world.sync({ full });
    expect(ran.changing).toEqual(['disableEmployee']);
    expect(ran.exitCode).toBe(0);
    expect(world.employee('l1').locked).toBe(true);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is noticed by the next run also where the service tells of no change', async () => {
    const world = await disabledWorld({ readings: ['usersRefreshBlind'] });
    world.minutes(60);
    await world.sync();
    world.sandbox.edit.unlockEmployee('l1');
    expect((await world.sync()).changing).toEqual(['disableEmployee']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('keeps the account for so many days after our new disable', async () => {
    const world = await disabledWorld();
    world.minutes(29 * DAY);
    world.sandbox.edit.unlockEmployee('l1');
    await world.sync();
    world.minutes(29 * DAY);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.minutes(DAY);
    expect((await world.sync()).planned).toEqual(['remove person 1']);
  });

  test('is never removed while somebody has it active, also where no run was told of it', async () => {
    const world = await disabledWorld({ readings: ['usersRefreshBlind'] });
    world.minutes(60);
    await world.sync();
    world.minutes(31 * DAY);
    let questions = 0;
    world.sandbox.onCall = ({ operation }) => {
      if (operation === 'listEmployees') questions += 1;
      if (questions === 2) world.sandbox.edit.unlockEmployee('l1');
    };
    const ran = await world.sync();
    expect([ran.planned, ran.changing, ran.exitCode]).toEqual([['remove person 1'], [], 4]);
    expect(ran.listed.join()).toContain('1: was enabled by somebody in the meantime');
    world.sandbox.onCall = undefined;
    const next = await world.sync();
    expect(next.changing).toEqual(['disableEmployee']);
    expect(world.employee('l1').locked).toBe(true);
  });

  test('is fought over three times in seven days, then named and left', async () => {
    const world = await disabledWorld();
    const codes: number[] = [];
    const calls: number[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      world.minutes(60);
      world.sandbox.edit.unlockEmployee('l1');
      const ran = await world.sync();
      codes.push(ran.exitCode);
      calls.push(ran.changing.length);
    }
    expect([codes, calls]).toEqual([
      [0, 0, 0, 4, 4],
      [1, 1, 1, 0, 0],
    ]);
    const quiet = await world.sync();
    expect(quiet.exitCode).toBe(4);
    expect(quiet.listed).toEqual([
      expect.stringContaining('1: has left, and was enabled in the service again'),
    ]);
    world.minutes(8 * DAY);
    expect((await world.sync()).changing).toEqual(['disableEmployee']);
  });

  test('is named by every run and left where drift is to be reported', async () => {
    const world = await disabledWorld({ sync: { drift: 'report' } });
    world.sandbox.edit.unlockEmployee('l1');
    for (const full of [false, true, false, false]) {
      world.minutes(10 * DAY);
      const ran = await world.sync({ full });
      expect([ran.changing, ran.exitCode]).toEqual([[], 4]);
      expect(ran.listed).toEqual([expect.stringContaining('1: missing in the source, disabled by rollcall')]);
    }
    expect(world.employee('l1').locked).toBe(false);
  });
});

describe('enabling', () => {
  const MANY = Array.from({ length: 40 }, (_, index) => person(`p${index}`));
  const gone = { people: MANY.map((one) => ({ ...one, active: false })) };

  test('many at once is held as joiners, and released by its hash', async () => {
    const guard = { ...NO_GUARD, joiners: { percent: 10, count: 5 } };
    const world = await openWorld({ people: [...SMALL.people, ...MANY], sync: { guard } });
    await world.sync();
    world.change(() => ({ people: [...SMALL.people, ...gone.people] }));
    expect((await world.sync()).changing).toHaveLength(40);
    world.change(() => ({ people: [...SMALL.people, ...MANY] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'joiners', count: 40 }]);
    const approved = await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] });
    expect(approved.exitCode).toBe(0);
    expect(approved.changing.filter((name) => name === 'enableEmployee')).toHaveLength(40);
    expect(world.employee('lp1').locked).toBe(false);
  });

  test('accounts that somebody else locked is held as well', async () => {
    const guard = { ...NO_GUARD, joiners: { percent: 10, count: 5 } };
    const people = [...SMALL.people, ...MANY];
    const world = await openWorld({ people, sync: { guard, lockedElsewhere: 'reinstate' } });
    await world.sync();
    for (const { username } of MANY) world.sandbox.edit.lockEmployee(username);
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
  });
});
