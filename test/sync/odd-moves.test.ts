import { describe, expect, test } from 'vitest';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { at, guest, loadedWorld, person, unit, type World } from './world.ts';

const UNITS = [unit('a'), unit('b', 'a'), unit('c', 'b')];
const MOVED = [unit('a'), unit('b'), unit('c', 'b')];
const PEOPLE = ['a', 'b', 'c'].map((id) => person(id, { positions: [at(id)] }));
const PLACES = ['la Name a a[primary]', 'lb Name b b[primary]', 'lc Name c c[primary]'];

async function opened(guard = NO_GUARD): Promise<World> {
  const world = await loadedWorld({ units: UNITS, people: PEOPLE, sync: { ...SYNC, guard } });
  world.minutes(1_440);
  return world;
}

describe('a unit that has moved', () => {
  test('moves back while its old node still waits, under the name that this node gives away', async () => {
    const world = await opened();
    const old = world.organization('b').id;
    guest(world, 'guest', { at: old });
    expect((await world.syncAfter(() => ({ units: MOVED }))).exitCode).toBe(4);
    const back = await world.syncAfter(() => ({ units: UNITS }), { later: 15 });
    expect([back.exitCode, back.listed.length]).toEqual([4, 1]);
    expect(world.organization('b').parentId).toBe(world.organization('a').id);
    expect(world.sandbox.state.organization(old)?.name).toBe(`Unit b~${old}`);
    world.sandbox.edit.removeEmployee('guest');
    const ran = await world.sync({ later: 15 });
    expect([ran.exitCode, ran.listed, ran.changing]).toEqual([0, [], ['deleteOrganization']]);
    expect(world.state().people).toEqual(PLACES);
  });
});

describe('a node with a known id', () => {
  test('that shows another number and another name is left alone, and its unit asks before it is made anew', async () => {
    const world = await opened(SYNC.guard);
    const { id } = world.organization('c');
    world.sandbox.edit.changeOrganization(id, { serialNo: 'X', name: 'Theirs' });
    const held = await world.sync({ full: true });
    expect([held.exitCode, held.changing]).toEqual([3, []]);
    expect(held.plan?.held).toMatchObject([{ guard: 'adopted', count: 1, first: ['Unit c (c)'] }]);
    expect(held.changes.find(({ kind }) => kind === 'create')?.why).toMatchObject({
      code: 'othersNode',
      values: { serial: 'X', name: 'Theirs' },
    });
    const approved = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''], full: true });
    expect([approved.exitCode, world.sandbox.state.organization(id)?.name]).toEqual([0, 'Theirs']);
    expect(world.organization('c').id).not.toBe(id);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is the unit’s again as soon as it shows its number', async () => {
    const world = await opened(SYNC.guard);
    const { id } = world.organization('c');
    world.sandbox.edit.changeOrganization(id, { serialNo: 'X', name: 'Theirs' });
    expect((await world.sync({ full: true })).exitCode).toBe(3);
    world.sandbox.edit.changeOrganization(id, { serialNo: 'c' });
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.planned, world.organization('c').name]).toEqual([
      0,
      ['update unit c'],
      'Unit c',
    ]);
  });
});
