import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { WireObject } from '../../src/sandbox/wire/wire-value.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { openWorld, person, SMALL, type Ran, type World } from './world.ts';

const SHIRT = { data_schema_id: '900', values: ['XL'] };
const TAGS = { tag_names: [{ group: 'Staff', tag: 'VIP' }] };
const NO_GUARD_BUT_LOST = { ...NO_GUARD, lost: SYNC.guard.lost };
const GUARD = { ...SYNC.guard, updates: { percent: 100, count: 3 } };

const named = (world: World, name: string): void => mapped(world, (id) => ({ name: name + id }));

const mapped = (world: World, fieldsOf: (id: string) => Fields): void =>
  world.change(() => ({
    people: SMALL.people.map((one) => person(one.id, { ...one, fields: fieldsOf(one.id) })),
  }));

/** Somebody has typed in for everybody what the list shows in a form that no import takes. */
async function typedIn(readings: readonly string[], values: WireObject): Promise<World> {
  const world = await openWorld({ readings, sync: { guard: GUARD } });
  await world.sync();
  for (const { username } of SMALL.people) world.sandbox.edit.changeEmployee(username, values);
  return world;
}

const hashOf = ({ plan }: Ran): string => plan?.held[0]?.hash ?? '';
const lostOf = ({ changes }: Ran): readonly unknown[] =>
  changes.flatMap((one) => (one.loses === undefined ? [] : [one.loses.fields]));
const foundOut = ({ lines }: Ran): readonly string[] =>
  lines.map(({ message }) => message).filter((message) => message.includes('found out'));

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

  test('is approved once, where the service keeps it: that is known from then on', async () => {
    const world = await typedIn([reading], values);
    named(world, 'New ');
    const approved = await world.sync({ approve: [hashOf(await world.sync())] });
    expect([approved.exitCode, foundOut(approved)]).toEqual([
      0,
      ['found out: the service keeps fields that an import leaves out'],
    ]);
    named(world, 'Newer ');
    const ran = await world.sync();
    expect([ran.exitCode, ran.plan?.held, world.employee('l1').name]).toEqual([0, [], 'Newer 1']);
    expect(there(world)).toEqual([true, true, true]);
  });

  test('is approved once, where the service clears it: that is known, and what comes is held for certain', async () => {
    const world = await typedIn([reading, 'absent=clear'], values);
    named(world, 'New ');
    const approved = await world.sync({ approve: [hashOf(await world.sync())] });
    expect([approved.exitCode, foundOut(approved)]).toEqual([
      0,
      ['found out: the service clears fields that an import leaves out'],
    ]);
    expect(there(world)).toEqual([false, false, false]);
    await world.sync();
    world.sandbox.edit.changeEmployee('l1', values);
    named(world, 'Newer ');
    const ran = await world.sync();
    expect(ran.plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (1)'] }]);
    expect(ran.changes.find(({ id }) => id === '1')?.loses).toEqual({ fields: [name], certain: true });
    expect([world.employee('l2').name, there(world)]).toEqual(['Newer 2', [true, false, false]]);
  });

  test.each([
    [[], 'keeps'],
    [['absent=clear'], 'clears'],
  ])('is looked at later where nothing that is shown has changed (%j)', async (more, does) => {
    const world = await typedIn([reading, ...more], values);
    mapped(world, (id) => ({ name: `Name ${id}`, tel: '1' }));
    await world.sync({ approve: [hashOf(await world.sync())] });
    world.minutes(15);
    expect(foundOut(await world.sync())).toEqual([
      `found out: the service ${does} fields that an import leaves out`,
    ]);
  });
});

test('tags that are mapped are nothing to lose, whatever names are shown', async () => {
  const world = await typedIn(['tagsShown=names', 'absent=clear'], TAGS);
  mapped(world, (id) => ({ name: `New ${id}`, tags: ['7'] }));
  expect((await world.sync()).exitCode).toBe(0);
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
  expect(ran.plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (1)'] }]);
  expect(world.employee('l1').profile['properties']).toEqual(both);
  expect(world.employee('l2').profile['properties']).toMatchObject([{ values: ['c'] }]);
});

/** The service gives every new account the same, and nobody has typed in anything. */
async function filledIn(
  readings: readonly string[],
  ids: readonly string[] = ['1', '2', '3'],
): Promise<{ world: World; sync: () => Promise<Ran> }> {
  const world = await openWorld({
    people: ids.map((id) => person(id)),
    readings: ['propertyShape=schema', ...readings],
    sync: { guard: NO_GUARD_BUT_LOST },
  });
  const sync = (): Promise<Ran> =>
    world.sync({
      through: (service) => ({
        ...service,
        importEmployees: async (bodies, signal) => {
          const fresh = bodies.filter(({ username }) => world.sandbox.state.employee(username) === undefined);
          const outcomes = await service.importEmployees(bodies, signal);
          for (const { username } of fresh)
            world.sandbox.edit.changeEmployee(username, { properties: [SHIRT] });
          return outcomes;
        },
      }),
    });
  await sync();
  return { world, sync };
}

const haveShirts = (world: World): readonly boolean[] =>
  SMALL.people.map(({ username }) => world.employee(username).profile['properties'] !== undefined);

describe('what the service fills in by itself', () => {
  test('is enough to find out that the service keeps it: nobody is held', async () => {
    const { world, sync } = await filledIn([]);
    named(world, 'New ');
    const ran = await sync();
    expect([ran.exitCode, ran.plan?.held, foundOut(ran)]).toEqual([
      0,
      [],
      ['found out: the service keeps fields that an import leaves out'],
    ]);
    expect([haveShirts(world), world.employee('l3').name]).toEqual([[true, true, true], 'New 3']);
  });

  test('is lost by one, where the service clears it: the others are held from then on', async () => {
    const { world, sync } = await filledIn(['absent=clear']);
    named(world, 'New ');
    const ran = await sync();
    expect([ran.exitCode, foundOut(ran)]).toEqual([
      4,
      ['found out: the service clears fields that an import leaves out'],
    ]);
    expect(ran.listed.map((line) => line.slice(0, 33))).toEqual(
      ['2', '3'].map((id) => `${id}: waits: the service clears proper`.slice(0, 33)),
    );
    expect(haveShirts(world)).toEqual([false, true, true]);
    const next = await sync();
    expect(next.plan?.held).toMatchObject([{ guard: 'lost', count: 2 }]);
    expect([next.exitCode, haveShirts(world)]).toEqual([3, [false, true, true]]);
  });

  test('is risked on three, where nothing that is shown changes, and the others wait for what became of it', async () => {
    const five = ['1', '2', '3', '4', '5'];
    const { world, sync } = await filledIn(['absent=clear'], five);
    world.change(() => ({
      people: five.map((id) => person(id, { fields: { name: `Name ${id}`, tel: '1' } })),
    }));
    const ran = await sync();
    expect([ran.exitCode, ran.listed.length]).toEqual([4, 2]);
    expect(ran.listed[0]).toMatch(/^4: waits until it is known whether the service keeps properties/u);
    world.minutes(15);
    const next = await sync();
    expect(foundOut(next)).toEqual(['found out: the service clears fields that an import leaves out']);
    expect(next.plan?.held).toMatchObject([{ guard: 'lost', count: 2 }]);
    expect(world.employee('l5').profile['properties']).toEqual([SHIRT]);
  });

  test('is no word for what somebody has typed in', async () => {
    const { world, sync } = await filledIn(['absent=clear']);
    const typed = [{ ...SHIRT, values: ['S'] }];
    world.sandbox.edit.changeEmployee('l3', { properties: typed });
    named(world, 'New ');
    const ran = await sync();
    expect(ran.plan?.held).toMatchObject([{ guard: 'lost', first: ['l3 (3)'] }]);
    expect(world.employee('l3').profile['properties']).toEqual(typed);
  });
});
