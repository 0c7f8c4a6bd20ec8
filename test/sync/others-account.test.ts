import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, refusal, SMALL, type World, type WorldOptions } from './world.ts';

const guard = { ...SYNC.guard, joiners: { percent: 100, count: 100 } };
const adam = person('9', { username: 'admin', fields: { name: 'Adam Min' } });

/** After the first load; somebody else made the account `admin`. */
async function withAdmin(
  account: { readonly name?: string; readonly locked?: boolean } = {},
  options: WorldOptions = {},
): Promise<World> {
  const world = await openWorld({ ...options, sync: { guard, ...options.sync } });
  await world.sync();
  makeAdmin(world, account);
  return world;
}

function makeAdmin(
  { sandbox: { edit, rootId } }: World,
  { name = 'Administrator', locked = false }: { readonly name?: string; readonly locked?: boolean },
): void {
  edit.addEmployee({ username: 'admin', name, positions: [{ org_id: rootId, primary: true }] });
  if (locked) edit.lockEmployee('admin');
}

async function expectHeld(world: World, changes: Parameters<World['change']>[0]): Promise<string> {
  world.change(changes);
  let hash = '';
  for (let run = 1; run <= 2; run += 1) {
    const ran = await world.sync({ full: run === 2 });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'adopted', count: 1, limit: 0 }]);
    hash = ran.plan?.held[0]?.hash ?? '';
    world.minutes(60);
  }
  return hash;
}

const added =
  (more = adam) =>
  () => ({ people: [...SMALL.people, more] });

describe('after the first load, an account that others made under another name', () => {
  test('is held; approved, it is taken over', async () => {
    const world = await withAdmin();
    const hash = await expectHeld(world, added());
    expect(world.employee('admin').name).toBe('Administrator');
    expect((await world.sync({ approve: [hash] })).exitCode).toBe(0);
    expect(world.employee('admin').name).toBe('Adam Min');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is held also where it would be disabled at once', async () => {
    const world = await withAdmin();
    await expectHeld(world, added({ ...adam, active: false }));
    expect(world.employee('admin').locked).toBe(false);
  });

  test('is held where the record says "left" and cannot be used otherwise', async () => {
    const world = await withAdmin();
    const left = { ...refusal('person', '9', 'mobile'), label: 'admin', active: false };
    world.change(({ people }) => ({ people: [...people, left] }));
    await world.sync();
    expect(world.employee('admin').locked).toBe(false);
  });

  test('is held where it is locked, and would be reinstated', async () => {
    const world = await withAdmin({ locked: true }, { sync: { lockedElsewhere: 'reinstate' } });
    await expectHeld(world, added());
    expect(world.employee('admin').locked).toBe(true);
  });

  test('is held where it stands in the place of an account of ours', async () => {
    const world = await openWorld({ people: [...SMALL.people, adam], sync: { guard } });
    await world.sync();
    world.sandbox.edit.removeEmployee('admin');
    makeAdmin(world, {});
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held.map(({ guard: by }) => by)).toContain('adopted');
  });

  test('is adopted where its name is the same, apart from case and blanks', async () => {
    const world = await withAdmin({ name: 'adam  MIN' });
    world.change(added(person('9', { ...adam, positions: [at('u2')] })));
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.employee('admin').name).toBe('Adam Min');
  });

  test('is adopted where percent: 100 switches the guard off', async () => {
    const off = { ...guard, adopted: { percent: 100, count: 0 } };
    const world = await withAdmin({}, { sync: { guard: off } });
    world.change(added());
    expect((await world.sync()).exitCode).toBe(0);
  });
});

test('during the first load, accounts of other names are adopted up to the limit', async () => {
  const world = await openWorld({ people: [...SMALL.people, adam], sync: { guard } });
  makeAdmin(world, {});
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.employee('admin').name).toBe('Adam Min');
});
