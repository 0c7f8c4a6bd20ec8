import { describe, expect, test } from 'vitest';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const UNITS = [unit('a'), unit('b'), unit('c', 'a'), unit('d', 'c')];
const MOVED = [unit('a'), unit('b'), unit('c', 'b'), unit('d', 'c')];
const PEOPLE = ['a', 'c', 'd'].map((id) => person(id, { positions: [at(id)] }));

/** The ledger of the day before `change` comes back. */
async function restored(change: (world: World) => Promise<void>, sync = SYNC): Promise<World> {
  const world = await loadedWorld({ units: UNITS, people: PEOPLE, sync });
  const restore = world.backupLedger();
  world.minutes(1_440);
  await change(world);
  restore();
  world.minutes(15);
  return world;
}

/** Right after one run, and silent in the next one. */
async function heals(world: World, full = false): Promise<void> {
  const ran = await world.sync({ full });
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
  const next = await world.sync({ later: 15, full: true });
  expect([next.exitCode, next.listed, next.changing]).toEqual([0, [], []]);
}

const nodeOf = (world: World, id: string): string => world.organization(id).id;

describe('a ledger of the day before', () => {
  test.each([false, true])('takes over the new nodes of units that moved since, full: %s', async (full) => {
    const world = await restored(async (it) => {
      expect((await it.syncAfter(() => ({ units: MOVED }))).exitCode).toBe(0);
    });
    const before = [world.state(), nodeOf(world, 'c'), nodeOf(world, 'd')];
    await heals(world, full);
    expect([world.state(), nodeOf(world, 'c'), nodeOf(world, 'd')]).toEqual(before);
  });

  test('takes over an account that was made anew since, so that its person can leave', async () => {
    const world = await restored(async (it) => {
      it.sandbox.edit.removeEmployee('la');
      await it.sync({ full: true });
      expect(it.employee('la').locked).toBe(false);
    });
    await heals(world);
    world.change(() => ({ people: PEOPLE.map((one) => (one.id === 'a' ? { ...one, active: false } : one)) }));
    const ran = await world.sync({ later: 15 });
    expect([ran.exitCode, ran.changing, world.employee('la').locked]).toEqual([0, ['disableEmployee'], true]);
  });
});

describe('a subtree that somebody deleted and made again by hand', () => {
  test('is taken over', async () => {
    const world = await loadedWorld({ units: UNITS, people: PEOPLE, sync: { ...SYNC, guard: NO_GUARD } });
    const { edit } = world.sandbox;
    edit.removeOrganization(nodeOf(world, 'c'));
    const c = edit.addOrganization(nodeOf(world, 'a'), 'Unit c', { serialNo: 'c' });
    const d = edit.addOrganization(c.id, 'Unit d', { serialNo: 'd' });
    const ran = await world.sync({ later: 15 });
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect([nodeOf(world, 'c'), nodeOf(world, 'd')]).toEqual([c.id, d.id]);
    const next = await world.sync({ later: 15, full: true });
    expect([next.exitCode, next.listed, next.changing]).toEqual([0, [], []]);
  });
});
