import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/interface/json.ts';
import { NO_GUARD } from '../plan/build.ts';
import { loadedWorld, openWorld, person, type World, type WorldOptions } from './world.ts';

const HOLDS_LOST = { guard: { ...NO_GUARD, lost: { percent: 0, count: 0 } } };

/** Accounts that are there before rollcall comes, with numbers that no source has. */
async function before(options: WorldOptions = {}, more: JsonObject = {}): Promise<World> {
  const world = await openWorld(options);
  const { edit, rootId } = world.sandbox;
  for (const username of ['l1', 'l2', 'l3']) {
    const typed = username === 'l3' ? {} : { sn: `SN ${username}`, sort_order: 7, ...more };
    edit.addEmployee({ username, name: 'Old', positions: [{ org_id: rootId }], ...typed });
  }
  return world;
}

const numbers = (world: World): readonly unknown[] =>
  ['l1', 'l2', 'l3'].map((username) => world.employee(username).profile['sn']);
const KEPT = ['SN l1', 'SN l2', undefined];
/** The node of each unit, then people. */
const peopleCalls = (changing: readonly string[]): readonly string[] =>
  changing.filter((name) => name !== 'importOrganizations');

const named = (name: string) => (world: World) =>
  world.change(({ people }) => ({
    people: people.map((one) =>
      'reason' in one ? one : { ...one, fields: { ...one.fields, name: `${name} ${one.id}` } },
    ),
  }));

describe('fields of an account that nobody has mapped', () => {
  test.each([[[]], [['absent=clear']], [['absent=clear', 'defaults=zero']]])(
    'go along in every write, so that nobody loses them (%j)',
    async (readings) => {
      const world = await before({ readings });
      const ran = await world.sync();
      expect([ran.exitCode, ran.listed, peopleCalls(ran.changing)]).toEqual([0, [], ['importEmployees']]);
      expect([numbers(world), world.employee('l2').name]).toEqual([KEPT, 'Name 2']);
      named('New')(world);
      expect((await world.sync()).changing).toEqual(['importEmployees']);
      expect([numbers(world), world.employee('l2').profile['sort_order']]).toEqual([KEPT, 7]);
      expect((await world.sync({ full: true })).changing).toEqual([]);
    },
  );

  test('flow once they are mapped, also to be emptied', async () => {
    const world = await before({ readings: ['absent=clear'] });
    await world.sync();
    world.change(() => ({
      people: ['1', '2', '3'].map((id) => person(id, { fields: { sn: id === '1' ? 'S' : null } })),
    }));
    expect((await world.sync()).exitCode).toBe(0);
    expect(numbers(world)).toEqual(['S', undefined, undefined]);
  });

  test('are left out with sync.unmapped: omit', async () => {
    const world = await before({ readings: ['absent=clear'], sync: { unmapped: 'omit' } });
    const ran = await world.sync();
    expect([ran.exitCode, peopleCalls(ran.changing)]).toEqual([0, ['importEmployees']]);
    expect(numbers(world)).toEqual([undefined, undefined, undefined]);
  });
});

const mapped = (value: string) =>
  ['1', '2', '3'].map((id) => person(id, { fields: { properties: { '11': [value] } } }));
const valuesOf = (world: World, username: string): unknown => world.employee(username).profile['properties'];

describe('properties', () => {
  const TYPED = { data_schema_id: '12', values: ['typed in'] };

  test.each([[['properties=replace', 'absent=clear']], [['properties=merge', 'absent=clear']]])(
    'that others typed in stay beside those that are mapped (%j)',
    async (readings) => {
      const world = await before({ readings, people: mapped('a') }, { properties: [TYPED] });
      for (const value of ['a', 'b']) {
        expect((await world.syncAfter(() => ({ people: mapped(value) }))).exitCode).toBe(0);
        for (const username of ['l1', 'l2']) {
          const values = valuesOf(world, username) as readonly { data_schema_id: unknown }[];
          expect(
            values
              .map((one) => ({ ...one, data_schema_id: String(one.data_schema_id) }))
              .toSorted((one, two) => (one.data_schema_id < two.data_schema_id ? -1 : 1)),
          ).toEqual([{ data_schema_id: '11', values: [value] }, TYPED]);
        }
      }
      expect((await world.sync({ full: true })).changing).toEqual([]);
    },
  );
});

describe('a value that is shown masked', () => {
  const MASKED = ['masked', 'absent=clear'];

  test('is never sent back: its person is held, named in the plan, until somebody approves', async () => {
    const world = await before({ readings: MASKED, sync: HOLDS_LOST });
    world.sandbox.edit.changeEmployee('l2', { mobile: '13812340000' });
    const plan = await world.plan();
    expect(plan.plan?.held).toMatchObject([{ guard: 'lost', count: 1, first: ['l2 (Name 2)'] }]);
    const ran = await world.sync();
    expect(ran.exitCode).toEqual(3);
    expect([ran.listed, world.state().units.at(-1)]).toEqual([[], '/Root/Unit u1/Unit u2 #u2']);
    expect([world.employee('l1').name, world.employee('l2').name]).toEqual(['Name 1', 'Old']);
    expect([numbers(world), world.employee('l2').profile['mobile']]).toEqual([KEPT, '13812340000']);
    const again = await world.sync();
    const hash = again.plan?.held[0]?.hash ?? '';
    expect([again.changing, again.exitCode]).toEqual([[], 3]);
    expect(again.planned).toEqual(['adopt person 2']);
    const approved = await world.sync({ approve: [hash] });
    expect([approved.exitCode, world.employee('l2').name, numbers(world)]).toEqual([0, 'Name 2', KEPT]);
    expect(world.employee('l2').profile['mobile']).toBeUndefined();
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('of a private property is never sent back either', async () => {
    const people = [person('1', { fields: { properties: { '11': ['a'] } } }), person('2')];
    const world = await loadedWorld({ people, readings: MASKED, sync: HOLDS_LOST });
    const typed = ['11', '12'].map((id) => ({ data_schema_id: id, values: [id] }));
    world.sandbox.edit.changeEmployee('l1', { properties: typed });
    named('New')(world);
    const ran = await world.sync();
    expect(ran.plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (New 1)'] }]);
    expect(world.employee('l1').profile['properties']).toEqual(typed);
    expect(world.employee('l2').name).toBe('New 2');
  });
});
