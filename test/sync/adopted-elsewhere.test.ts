import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, unit, type World } from './world.ts';

const COMPANY = {
  units: [unit('a'), unit('b', 'a'), unit('c', 'b')],
  people: [person('1', { positions: [at('b')] }), person('2', { positions: [at('c')] })],
};
const PLACES = {
  units: ['/Root #', '/Root/Unit a #a', '/Root/Unit a/Unit b #b', '/Root/Unit a/Unit b/Unit c #c'],
  people: ['l1 Name 1 b[primary]', 'l2 Name 2 c[primary]'],
};

/** A node with this serial number and another name below a node that is nobody’s. */
function elsewhere(world: World, serialNo: string): string {
  const { edit, rootId } = world.sandbox;
  const theirs = edit.addOrganization(rootId, 'Theirs');
  return edit.addOrganization(theirs.id, 'Works', { serialNo }).id;
}

const unitsOf = (world: World): readonly string[] =>
  world.state().units.filter((path) => !path.startsWith('/Root/Theirs'));

describe('a unit that is adopted by its serial number below another parent', () => {
  test.each<Partial<SyncSettings>>([{}, { drift: 'report' }])(
    'is moved by the same run, with its people (%j)',
    async (sync) => {
      const world = await openWorld({ ...COMPANY, sync });
      const orgId = elsewhere(world, 'b');
      const employee = world.sandbox.edit.addEmployee({
        username: 'l1',
        name: 'Name 1',
        positions: [{ org_id: orgId, primary: true }],
      });
      const planned = await world.plan();
      const ran = await world.sync();
      expect(ran.planned).toEqual(planned.planned);
      expect(ran.planned.toSorted()).toEqual([
        'adopt person 1',
        'create person 2',
        'create unit a',
        'create unit c',
        'move unit b',
      ]);
      const move = ran.changes.find(({ kind }) => kind === 'move');
      expect(move).toMatchObject({
        id: 'b',
        why: { code: 'elsewhere', values: { parent: 'Theirs' } },
        guard: 'unitsMoved',
        fields: [
          { field: 'parent', from: '(a node that is no unit)', to: 'a' },
          { field: 'name', from: 'Works', to: 'Unit b' },
        ],
      });
      expect(ran.exitCode).toBe(0);
      expect(unitsOf(world)).toEqual(PLACES.units);
      expect(world.state().people).toEqual(PLACES.people);
      expect(world.employee('l1').id).toBe(employee.id);
      expect(world.state().units).toContain('/Root/Theirs #');
      expect(world.state().units.join()).not.toContain('moved');
      expect((await world.sync({ full: true })).changing).toEqual([]);
    },
  );

  test('is held by the guard of moves, and waits as a whole with those who are to be in it', async () => {
    const guard = { ...SYNC.guard, unitsMoved: { percent: 0, count: 0 } };
    const world = await openWorld({
      ...COMPANY,
      units: COMPANY.units.slice(0, 2),
      people: COMPANY.people.slice(0, 1),
      sync: { guard },
    });
    elsewhere(world, 'b');
    const first = await world.sync();
    const [held] = first.plan?.held ?? [];
    expect([first.exitCode, held?.guard, held?.first]).toEqual([3, 'unitsMoved', ['Unit b (b)']]);
    expect(world.state().units).toContain('/Root/Theirs/Works #b');
    expect([world.state().people, first.listed]).toEqual([[], ['1: waits for unit b']]);
    const second = await world.sync();
    expect([second.exitCode, second.changing, second.plan?.held[0]?.hash]).toEqual([3, [], held?.hash]);
    expect((await world.sync({ approve: [held?.hash ?? ''] })).exitCode).toBe(0);
    expect(unitsOf(world)).toEqual(PLACES.units.slice(0, 3));
    expect(world.state().people).toEqual(['l1 Name 1 b[primary]']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});
