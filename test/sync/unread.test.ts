import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { JsonObject } from '../../src/interface/json.ts';
import { SYNC } from '../plan/build.ts';
import { loadedWorld, openWorld, person, SMALL, type Ran, type World } from './world.ts';

const SHIRT = { data_schema_id: '900', values: ['XL'] };
const TAGS = { tag_names: [{ group: 'Staff', tag: 'VIP' }] };
const GUARD = { ...SYNC.guard, updates: { percent: 100, count: 3 } };

const named = (world: World, name: string): void => mapped(world, (id) => ({ name: name + id }));

const mapped = (world: World, fieldsOf: (id: string) => Fields): void =>
  world.change(() => ({
    people: SMALL.people.map((one) => person(one.id, { ...one, fields: fieldsOf(one.id) })),
  }));

/** Somebody has typed in for everybody what the list shows in a form that no import takes. */
async function typedIn(readings: readonly string[], values: JsonObject): Promise<World> {
  const world = await loadedWorld({ readings, sync: { guard: GUARD } });
  for (const { username } of SMALL.people) world.sandbox.edit.changeEmployee(username, values);
  return world;
}

const lostOf = ({ changes }: Ran): readonly unknown[] =>
  changes.flatMap((one) => (one.loses === undefined ? [] : [one.loses.fields]));

const KINDS = [
  ['propertyShape=schema', { properties: [SHIRT] }, 'properties'],
  ['tagsShown=names', TAGS, 'tag_names'],
] as const;

describe.each(KINDS)('what is shown in a form that no import takes (%s)', (reading, values, name) => {
  const stored = (world: World, username: string): unknown => world.employee(username).profile[name];
  const there = (world: World): readonly boolean[] =>
    SMALL.people.map(({ username }) => stored(world, username) !== undefined);

  test('is held by name, and lost by nobody, until somebody approves', async () => {
    const world = await typedIn([reading, 'absent=clear'], values);
    named(world, 'New ');
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing, lostOf(ran)]).toEqual([3, [], [[name], [name], [name]]]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'lost', count: 3 }]);
    expect(there(world)).toEqual([true, true, true]);
  });
});

test('mapped properties shown in another form are nothing to lose, others beside them are', async () => {
  const world = await openWorld({ readings: ['propertyShape=schema'], sync: { guard: GUARD } });
  const set = (value: string): void =>
    mapped(world, (id) => ({ name: `Name ${id}`, properties: { '11': [value] } }));
  set('a');
  await world.sync();
  set('b');
  expect((await world.sync()).exitCode).toBe(0);
  const both = [{ data_schema_id: '11', values: ['b'] }, SHIRT];
  world.sandbox.edit.changeEmployee('l1', { properties: both });
  set('c');
  const ran = await world.sync();
  expect(ran.plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (Name 1)'] }]);
  expect(world.employee('l1').profile['properties']).toEqual(both);
  expect(world.employee('l2').profile['properties']).toMatchObject([{ values: ['c'] }]);
});
