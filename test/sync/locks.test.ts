import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import { showing } from '../doubles/showing.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { expectSilence } from './reverting.ts';
import { SMALL, loadedWorld, person, type World, type WorldOptions } from './world.ts';

const MANY = Array.from({ length: 30 }, (_, index) => person(`p${index}`));

async function loaded(options: WorldOptions = {}): Promise<World> {
  const sync = { guard: NO_GUARD, leavers: { ...SYNC.leavers, misses: 1 }, ...options.sync };
  const world = await loadedWorld({ people: [...SMALL.people, ...MANY], ...options, sync });
  return world;
}

const leave = (world: World): void =>
  world.change(() => ({ people: [...SMALL.people.slice(1), person('1', { active: false }), ...MANY] }));
const comeBack = (world: World): void => world.change(() => ({ people: [...SMALL.people, ...MANY] }));

describe('a service that says yes to a disable and does nothing', () => {
  test('makes it failed, named in every run, tried again with pauses, and no account disabled by us', async () => {
    const world = await loaded({ readings: ['lockIgnored=1000'] });
    leave(world);
    const calls: number[] = [];
    for (let times = 1; times <= 4; times += 1) {
      const ran = await world.sync({ later: 1 });
      calls.push(ran.changing.length);
      expect([ran.exitCode, ran.report.end.applied]).toEqual([4, 0]);
      expect(ran.inside).toEqual([expect.stringContaining('1: the service said that it is done')]);
    }
    expect(calls).toEqual([1, 1, 0, 0]);
    expect((await world.sync({ later: 20 })).changing).toEqual(['disableEmployee']);
    expect(world.employee('l1').locked).toBe(false);
  });

  test('does it later than anybody waits: it was ours, so the rehired are enabled again', async () => {
    const world = await loaded();
    world.sandbox.setReadings(['lockLater=600s']);
    leave(world);
    expect((await world.sync()).exitCode).toBe(4);
    const seen = await world.sync({ later: 11 });
    expect([seen.exitCode, seen.changing, seen.listed, seen.inside]).toEqual([0, [], [], []]);
    world.sandbox.setReadings([]);
    comeBack(world);
    const ran = await world.sync();
    expect(ran.changing).toEqual(['enableEmployee', 'importEmployees']);
    expect([ran.exitCode, world.employee('l1').locked]).toEqual([0, false]);
  });
});

/** Does not show this account. */
const hiding =
  (id: string) =>
  (service: Service): Service =>
    showing(service, (employee) => (employee.id === id ? null : employee));

describe('who comes back while the account that we locked is not shown', () => {
  test('is named as locked once it is shown again', async () => {
    const world = await loaded();
    leave(world);
    expect((await world.sync()).exitCode).toBe(0);
    comeBack(world);
    const hidden = await world.sync({ through: hiding(world.employee('l1').id) });
    expect([hidden.exitCode, world.employee('l1').locked]).toEqual([4, true]);
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.listed.join(), world.employee('l1').locked]).toEqual([
      4,
      expect.stringContaining('locked in the service by somebody else'),
      true,
    ]);
  });
});

const through = (service: Service): Service => showing(service, (one) => ({ ...one, locked: false }));

describe('a service that disables and never shows it', () => {
  test('has disabled: who comes back is enabled, once, and no longer listed', async () => {
    const world = await loaded();
    leave(world);
    expect((await world.sync({ through })).exitCode).toBe(4);
    expect(world.employee('l1').locked).toBe(true);
    comeBack(world);
    const ran = await world.sync({ through });
    expect(ran.changing).toEqual(['enableEmployee', 'importEmployees']);
    expect([ran.exitCode, ran.listed, ran.inside]).toEqual([0, [], []]);
    expect(world.employee('l1').locked).toBe(false);
    await expectSilence(world, { through });
  });
});

test('an enable that does nothing is failed, and nothing is imported until it is enabled', async () => {
  const world = await loaded();
  leave(world);
  await world.sync();
  world.sandbox.setReadings(['lockIgnored=1']);
  comeBack(world);
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing, world.employee('l1').locked]).toEqual([4, ['enableEmployee'], true]);
  const next = await world.sync();
  expect(next.changing).toEqual(['enableEmployee', 'importEmployees']);
  expect([next.exitCode, next.listed]).toEqual([0, []]);
});

test.each([
  ['and the service does nothing', 'lockIgnored=1', ['disableEmployee']],
  ['and the service has done it', 'lockIgnored=0', []],
] as const)(
  'a crash between the call and its read-back, %s: the next run finds out',
  async (_, reading, sent) => {
    const world = await loaded();
    world.sandbox.setReadings([reading]);
    leave(world);
    const crashed = world
      .sync({ wrap: (ledger) => crashing(ledger, 2, 'before') })
      .catch((error: unknown) => error);
    expect(await crashed).toBeInstanceOf(Crash);
    expect(world.sandbox.calls.filter(({ operation }) => operation === 'disableEmployee')).toHaveLength(1);
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing, ran.inside, world.employee('l1').locked]).toEqual([
      0,
      sent,
      [],
      true,
    ]);
    world.sandbox.setReadings([]);
    comeBack(world);
    expect((await world.sync()).changing).toEqual(['enableEmployee', 'importEmployees']);
  },
);

const DAY = 24 * 60;
const LEAVERS = { misses: 1, action: 'disable', removeAfterDays: 30 } as const;

/** Person 1 is missing and disabled by us. */
async function disabledWorld(options: WorldOptions = {}): Promise<World> {
  const world = await loadedWorld({ ...options, sync: { leavers: LEAVERS, ...options.sync } });
  world.change(() => ({ people: SMALL.people.slice(1) }));
  expect((await world.sync()).changing).toEqual(['disableEmployee']);
  return world;
}

describe('a missing person whom we disabled and somebody enabled', () => {
  test('keeps the account for so many days after our new disable', async () => {
    const world = await disabledWorld();
    world.minutes(29 * DAY);
    world.sandbox.edit.unlockEmployee('l1');
    await world.sync();
    expect((await world.sync({ later: 29 * DAY, full: true })).changing).toEqual([]);
    expect((await world.sync({ later: DAY })).planned).toEqual(['remove person 1']);
  });

  test('is never removed while somebody has it active, also where no run was told of it', async () => {
    const world = await disabledWorld({ readings: ['usersRefreshBlind'] });
    await world.sync({ later: 60 });
    world.minutes(31 * DAY);
    let questions = 0;
    world.sandbox.onCall = ({ operation }) => {
      if (operation === 'listEmployees') questions += 1;
      if (questions === 1) world.sandbox.edit.unlockEmployee('l1');
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
    expect((await world.sync({ later: 8 * DAY })).changing).toEqual(['disableEmployee']);
  });

  test('is named by every run and left where drift is to be reported', async () => {
    const world = await disabledWorld({ sync: { drift: 'report' } });
    world.sandbox.edit.unlockEmployee('l1');
    for (const full of [false, true, false, false]) {
      const ran = await world.sync({ later: 10 * DAY, full });
      expect([ran.changing, ran.exitCode]).toEqual([[], 4]);
      expect(ran.listed).toEqual([expect.stringContaining('1: missing in the source, disabled by rollcall')]);
    }
    expect(world.employee('l1').locked).toBe(false);
  });
});
