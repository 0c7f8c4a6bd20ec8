import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, SMALL, unit } from './world.ts';

const inactive = (world: MemoryWorld): Partial<MemoryWorld> => ({
  people: world.people.map((one) => (one.id === '1' ? { ...one, active: false } : one)),
});
const without =
  (...ids: readonly string[]) =>
  (world: MemoryWorld): Partial<MemoryWorld> => ({
    people: world.people.filter(({ id }) => id === null || !ids.includes(id)),
  });

describe('who is inactive', () => {
  test('is disabled once, by the employee id of the employees list, whatever id an import answered', async () => {
    const world = await openWorld({ readings: ['importIds=user'] });
    await world.sync();
    world.change(inactive);
    const ran = await world.sync();
    const { id, userId, locked } = world.employee('l1');
    expect(id).not.toBe(userId);
    expect(ran.changing).toEqual(['disableEmployee']);
    expect(ran.calls.find(({ method }) => method !== 'GET')?.path).toContain(`/employees/${id}/disable`);
    expect(locked).toBe(true);
    for (const full of [false, true]) expect((await world.sync({ full })).changing).toEqual([]);
  });

  test('is not created where the service does not know them', async () => {
    const world = await openWorld({ people: [person('1', { active: false }), person('2')] });
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.state().people).toEqual(['l2 Name 2 u1[primary]']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('comes back enabled first, then imported as the source has them now', async () => {
    const world = await openWorld();
    await world.sync();
    world.change(inactive);
    await world.sync();
    world.change((now) => ({
      people: now.people.map((one) => (one.id === '1' ? person('1', { positions: [at('u2')] }) : one)),
    }));
    const ran = await world.sync();
    expect(ran.changing).toEqual(['enableEmployee', 'importEmployees']);
    expect(world.state().people).toContain('l1 Name 1 u2[primary]');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('comes back on an older service, which knows lock and unlock alone', async () => {
    const world = await openWorld({ readings: ['lockOnly'] });
    await world.sync();
    world.change(inactive);
    await world.sync();
    expect(world.employee('l1').locked).toBe(true);
    world.change(() => ({ people: SMALL.people }));
    const ran = await world.sync();
    expect(ran.exitCode).toBe(0);
    expect(world.employee('l1').locked).toBe(false);
  });
});

describe('who is missing', () => {
  test('leaves after two complete reads that are ten minutes apart', async () => {
    const world = await openWorld();
    await world.sync();
    world.change(without('1'));
    for (const minutes of [0, 5, 4]) {
      world.minutes(minutes);
      expect((await world.sync()).changing).toEqual([]);
    }
    world.minutes(1);
    const ran = await world.sync();
    expect(ran.changing).toEqual(['disableEmployee']);
    expect(ran.exitCode).toBe(0);
    expect(world.employee('l1').locked).toBe(true);
    world.minutes(60);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('who is seen in between begins anew', async () => {
    const world = await openWorld();
    await world.sync();
    for (const people of [SMALL.people.slice(1), SMALL.people, SMALL.people.slice(1)]) {
      world.change(() => ({ people }));
      world.minutes(11);
      expect((await world.sync()).changing).toEqual([]);
    }
  });

  test('a plan counts no miss', async () => {
    const world = await openWorld();
    await world.sync();
    world.change(without('1'));
    for (let times = 0; times < 4; times += 1) {
      world.minutes(11);
      expect((await world.plan()).planned).toEqual([]);
    }
    expect((await world.sync()).planned).toEqual([]);
  });

  test('goes where the action is remove, with the required fields, and comes back as a new account', async () => {
    const world = await openWorld({
      sync: { leavers: { misses: 2, missEveryMinutes: 10, action: 'remove', removeAfterDays: null } },
    });
    await world.sync();
    world.change(without('1'));
    await world.sync();
    world.minutes(10);
    const ran = await world.sync();
    expect(ran.changing).toEqual(['importEmployees']);
    expect(ran.calls.findIndex(({ operation }) => operation === 'listEmployees')).toBeLessThan(
      ran.calls.findIndex(({ operation }) => operation === 'importEmployees'),
    );
    expect(ran.exitCode).toBe(0);
    expect(world.sandbox.state.employee('l1')).toBeUndefined();
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.change(() => ({ people: SMALL.people }));
    expect((await world.sync()).planned).toEqual(['create person 1']);
    expect(world.state().people).toContain('l1 Name 1 u1[primary]');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is removed so many days after our own disable, and only where missing', async () => {
    const leavers = { misses: 1, missEveryMinutes: 10, action: 'disable', removeAfterDays: 30 } as const;
    const world = await openWorld({ sync: { leavers } });
    await world.sync();
    world.change((now) => ({
      people: (inactive(now).people ?? []).filter(({ id }) => id !== '3'),
    }));
    await world.sync();
    expect(world.state().people.filter((text) => text.includes('locked'))).toHaveLength(2);
    world.minutes(60 * 24 * 29);
    expect((await world.sync()).changing).toEqual([]);
    world.minutes(60 * 24);
    expect((await world.sync()).planned).toEqual(['remove person 3']);
    expect(world.sandbox.state.employee('l3')).toBeUndefined();
    expect(world.employee('l1').locked).toBe(true);
  });

  test('a replaced account behind the username of a leaver is left alone', async () => {
    const world = await openWorld();
    await world.sync();
    world.sandbox.edit.removeEmployee('l1');
    world.sandbox.edit.addEmployee({
      username: 'l1',
      name: 'Somebody else',
      positions: [{ org_id: world.sandbox.rootId }],
    });
    world.change(without('1'));
    await world.sync();
    world.minutes(10);
    const ran = await world.sync();
    expect(ran.changing).toEqual([]);
    expect(ran.exitCode).toBe(4);
    expect(world.employee('l1').locked).toBe(false);
  });
});

describe('a unit that is gone from the source', () => {
  const TREE = {
    units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u2'), unit('u4', 'u3')],
    people: [person('1')],
  };

  test('goes with all below it, children first', async () => {
    const world = await openWorld(TREE);
    await world.sync();
    world.change(() => ({ units: [unit('u1')] }));
    const ran = await world.sync();
    expect(ran.changing).toEqual(['deleteOrganization', 'deleteOrganization', 'deleteOrganization']);
    expect(ran.exitCode).toBe(0);
    expect(world.state().units).toEqual(['/Root #', '/Root/Unit u1 #u1']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test.each([
    ['a locked employee of somebody else', true],
    ['an employee of somebody else', false],
  ])('waits for %s, is listed with who is there, and that is no failure', async (_, locked) => {
    const world = await openWorld(TREE);
    await world.sync();
    world.sandbox.edit.addEmployee({
      username: 'guest',
      name: 'Guest',
      positions: [{ org_id: world.organization('u4').id }],
    });
    if (locked) world.sandbox.edit.lockEmployee('guest');
    world.change(() => ({ units: [unit('u1')] }));
    const ran = await world.sync();
    expect(ran.changing).toEqual([]);
    expect(ran.exitCode).toBe(0);
    expect(ran.listed.join('\n')).toMatch(/u4: waits .*guest|u4: waits .*more/u);
    expect(ran.listed).toHaveLength(3);
    world.sandbox.edit.removeEmployee('guest');
    expect((await world.sync()).changing).toHaveLength(3);
  });

  test('stays where units are to be kept', async () => {
    const world = await openWorld({ ...TREE, sync: { unitsGone: 'keep' } });
    await world.sync();
    world.change(() => ({ units: [unit('u1')] }));
    expect((await world.sync()).planned).toEqual([]);
  });
});

describe('a removal that the service shows later', () => {
  const ACTION = { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } } as const;

  test('is looked for again in the same run', async () => {
    const world = await openWorld({ readings: ['asyncImport=2s'], sync: ACTION });
    await world.sync();
    world.change(({ people }) => ({ people: people.slice(1) }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing, ran.listed]).toEqual([0, ['importEmployees'], []]);
  });

  test('much later counts as failed, and is off the list when it is seen', async () => {
    const world = await openWorld({ sync: ACTION });
    await world.sync();
    world.sandbox.setReadings(['asyncImport=600s']);
    world.change(({ people }) => ({ people: people.slice(1) }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed]).toEqual([4, ['1: not removed: it is still an employee']]);
    world.minutes(15);
    const next = await world.sync();
    expect([next.exitCode, next.changing, next.listed]).toEqual([0, [], []]);
  });
});

test('who was missing while somebody else had locked the account leaves right after it is unlocked', async () => {
  const world = await openWorld({ sync: { leavers: { ...SYNC.leavers, misses: 3 } } });
  await world.sync();
  world.sandbox.edit.lockEmployee('l1');
  world.change(without('1'));
  for (let runs = 0; runs < 5; runs += 1) {
    world.minutes(15);
    const ran = await world.sync();
    expect([ran.changing, ran.plan?.waiting]).toEqual([[], []]);
  }
  world.sandbox.edit.unlockEmployee('l1');
  world.minutes(15);
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing]).toEqual([0, ['disableEmployee']]);
});

test('who was missing while locked, and is back, is missed anew', async () => {
  const world = await openWorld({ sync: { lockedElsewhere: 'reinstate' } });
  await world.sync();
  world.sandbox.edit.lockEmployee('l1');
  world.change(without('1'));
  for (let runs = 0; runs < 3; runs += 1) {
    world.minutes(15);
    await world.sync();
  }
  world.change(() => ({ people: SMALL.people }));
  world.minutes(15);
  await world.sync();
  expect(world.employee('l1').locked).toBe(false);
  world.change(without('1'));
  world.minutes(15);
  const ran = await world.sync();
  expect([ran.changing, ran.plan?.waiting.map(({ misses }) => misses)]).toEqual([[], [1]]);
});

test('an account that somebody made anew for who is inactive is disabled, and enabled when the person is back', async () => {
  const world = await openWorld();
  await world.sync();
  const { edit } = world.sandbox;
  const { positions, name } = world.employee('l1');
  edit.removeEmployee('l1');
  edit.addEmployee({ username: 'l1', name, positions: positions.map(({ orgId }) => ({ org_id: orgId })) });
  world.change(inactive);
  world.minutes(15);
  const ran = await world.sync({ full: true });
  expect([ran.exitCode, ran.changing, ran.listed]).toEqual([0, ['disableEmployee'], []]);
  world.minutes(15);
  expect((await world.sync({ full: true })).changing).toEqual([]);
  world.change(() => ({ people: SMALL.people }));
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.employee('l1').locked).toBe(false);
});
