import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, SMALL, type World } from './world.ts';

const others = SMALL.people.filter(({ id }) => id !== '3');
const bob = person('3', { username: 'bob', fields: { name: 'Bob Newman' } });

/** Person 3 has left, missing or inactive, and rollcall has disabled the account. */
async function withLeaver(isListed = false): Promise<World> {
  const world = await loadedWorld();
  world.change(() => ({ people: isListed ? [...others, person('3', { active: false })] : others }));
  for (let read = 1; read <= 3; read += 1) {
    await world.sync();
    world.minutes(60);
  }
  expect(world.employee('l3').locked).toBe(true);
  return world;
}

/** Person 3 has left, and rollcall has removed the account. */
async function withRemoved(): Promise<World> {
  const world = await loadedWorld({ sync: { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } } });
  await world.syncAfter(() => ({ people: others }));
  expect(world.sandbox.state.employee('l3')).toBeUndefined();
  return world;
}

/** Person 3 is somebody else now: that is held in each run, a full one too, and nothing is sent. */
async function expectHeld(world: World): Promise<void> {
  world.change(() => ({ people: [...others, bob] }));
  for (let run = 1; run <= 3; run += 1) {
    const ran = await world.sync({ full: run === 3 });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'usernameReuse', count: 1 }]);
    world.minutes(60);
  }
}

describe('the id of a leaver', () => {
  test.each([false, true])(
    'that is given to somebody else is held, and opens nothing (listed meanwhile: %s)',
    async (isListed) => {
      const world = await withLeaver(isListed);
      await expectHeld(world);
      expect(world.employee('l3')).toMatchObject({ locked: true, name: 'Name 3' });
    },
  );

  test.each<readonly [string, Partial<SyncSettings>]>([
    ['held', { guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } }],
    ['blocked, since the person is protected', { protect: { ...SYNC.protect, usernames: ['l3'] } }],
  ])('is held as well while the disable is %s', async (_, sync) => {
    const world = await loadedWorld({ sync });
    const { plan } = await world.syncAfter(() => ({ people: [...others, person('3', { active: false })] }));
    expect(world.employee('l3').locked).toBe(false);
    await expectHeld(world);
    expect(world.employee('l3').name).toBe('Name 3');
    const approve = (plan?.held ?? []).map(({ hash }) => hash);
    expect((await world.sync({ approve })).changing).toEqual([]);
    expect((await world.syncAfter(() => SMALL)).exitCode).toBe(0);
    expect((await world.syncAfter(() => ({ people: [...others, bob] }))).exitCode).toBe(0);
    expect(world.employee('l3').name).toBe('Bob Newman');
  });

  test.each([
    ['name', person('3', { fields: { name: 'Name Married' } })],
    ['username', person('3', { username: 'new' })],
    ['spelling', person('3', { username: 'L3', fields: { name: 'name 3' }, positions: [at('u2')] })],
  ])('that comes back with another %s alone is the same person', async (_, back) => {
    const world = await withLeaver();
    await world.syncAfter(() => ({ people: [...others, back] }));
    expect(world.employee('l3').locked).toBe(false);
  });
});

test('what is approved of the id of a leaver is the account under its username, enabled', async () => {
  const world = await withLeaver();
  const { plan } = await world.syncAfter(() => ({ people: [...others, bob] }));
  const { exitCode } = await world.sync({ approve: [plan?.held[0]?.hash ?? ''] });
  expect(exitCode).toBe(0);
  expect((await world.sync({ full: true })).changing).toEqual([]);
  expect(world.employee('l3')).toMatchObject({ locked: false, name: 'Bob Newman' });
});

test('a leaver whose account is gone gets none under the old username for somebody else', async () => {
  const world = await withLeaver();
  world.sandbox.edit.removeEmployee('l3');
  const ran = await world.syncAfter(() => ({ people: [...others, bob] }), { full: true });
  expect([ran.exitCode, ran.changing]).toEqual([3, []]);
  expect(ran.changes).toMatchObject([{ kind: 'create', username: 'bob', guard: 'usernameReuse' }]);
});

describe('the id of somebody whose account rollcall removed', () => {
  test('is held for somebody else, who gets an account of their own once that is approved', async () => {
    const world = await withRemoved();
    await expectHeld(world);
    const { plan } = await world.sync();
    expect((await world.sync({ approve: [plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(world.employee('bob').name).toBe('Bob Newman');
  });

  test('leaves the old username to no stranger, whose record waits until it is approved', async () => {
    const world = await withRemoved();
    await world.syncAfter(() => ({ people: [...others, person('3', { username: 'new' })] }));
    const stranger = person('9', { username: 'L3', fields: { name: 'Stranger' } });
    const ran = await world.syncAfter(({ people }) => ({ people: [...people, stranger] }));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'usernameReuse', count: 1 }]);
    expect(ran.changes[0]?.why).toMatch(/somebody who had it before: /u);
    await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] });
    await world.sync();
    expect(world.employee('L3').name).toBe('Stranger');
  });
});
