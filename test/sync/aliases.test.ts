import { expect, test } from 'vitest';
import type { DataSchema, Service } from '../../src/domain/ports/service.ts';
import { NO_GUARD } from '../plan/build.ts';
import { openWorld, person, SMALL, type Ran, type World, type WorldOptions } from './world.ts';

const schema = (id: string, ...names: readonly string[]): DataSchema => ({
  id,
  names,
  type: 'TEXT',
  options: [],
  min: null,
  max: null,
});
/** A service whose lists show these schemas. */
const showing =
  (...schemas: readonly DataSchema[]) =>
  (service: Service): Service => ({ ...service, dataSchemas: () => schemas });

const people = (properties: Readonly<Record<string, readonly string[]>>, name = 'Name') => ({
  people: SMALL.people.map((one) => person(one.id, { ...one, fields: { name, properties } })),
});
const BADGE: WorldOptions = {
  ...people({ Badge: ['B1'], '12': ['kept'] }),
  rules: { 'properties.Badge': 'badge', 'properties.12': 'other' },
  sync: { guard: NO_GUARD },
};
/** Properties as stored; an import has their ids as numbers, a modification as text. */
const stored = (world: World): unknown =>
  (
    world.employee('l1').profile['properties'] as readonly { readonly data_schema_id: unknown }[] | undefined
  )?.map((one) => ({ ...one, data_schema_id: Number(one.data_schema_id) }));
const KEPT = { data_schema_id: 12, values: ['kept'] };
const told = ({ report }: Ran): readonly string[] => report.end.unknown ?? [];

test('a property by a name that a list has shown goes out under the id, in the run that has read it', async () => {
  const world = await openWorld(BADGE);
  const through = showing(schema('11', 'Ausweis', 'Badge'), schema('12', 'Other'));
  const ran = await world.sync({ through });
  expect([ran.exitCode, told(ran)]).toEqual([0, []]);
  expect(stored(world)).toEqual([{ data_schema_id: 11, values: ['B1'] }, KEPT]);
  const second = await world.sync({ through, full: true });
  expect([second.exitCode, second.planned, second.changing]).toEqual([0, [], []]);
});

test('what a name means is remembered: later runs need not see it', async () => {
  const world = await openWorld(BADGE);
  await world.sync({ through: showing(schema('11', 'Badge')) });
  world.change(() => people({ Badge: ['B2'], '12': ['kept'] }));
  const ran = await world.sync({ through: showing() });
  expect([ran.exitCode, stored(world)]).toEqual([0, [{ data_schema_id: 11, values: ['B2'] }, KEPT]]);
});

test('a name that nothing shows waits, and is told with the nearest; all else goes on', async () => {
  const world = await openWorld(BADGE);
  const ran = await world.sync({ through: showing(schema('11', 'Badges'), schema('12', 'Other')) });
  expect([ran.exitCode, stored(world)]).toEqual([4, [KEPT]]);
  expect(told(ran)).toEqual([
    'properties "Badge": no data schema that the service has shown is called so; did you mean "Badges"?',
  ]);
  const notes = ran.lines.filter(({ message }) => message.startsWith('properties wait'));
  expect(notes).toHaveLength(1);
  const plan = await world.plan({ describe: true, through: showing() });
  expect(plan.text.join('\n')).toContain('Waiting for a data schema');
  const later = await world.sync({ through: showing(schema('11', 'Badge')) });
  expect([later.exitCode, told(later)]).toEqual([0, []]);
  const last = await world.sync();
  expect([last.exitCode, stored(world)]).toEqual([0, [{ data_schema_id: 11, values: ['B1'] }, KEPT]]);
});

test('a name that two schemas have waits, and keeps what was sent under it', async () => {
  const world = await openWorld(BADGE);
  await world.sync({ through: showing(schema('11', 'Badge')) });
  world.change(() => people({ Badge: ['B2'], '12': ['kept'] }));
  await world.sync({ through: showing(schema('11', 'Badge'), schema('13', 'Badge')) });
  expect(stored(world)).toEqual(expect.arrayContaining([{ data_schema_id: 11, values: ['B1'] }, KEPT]));
  world.change(() => people({ Badge: ['B2'], '12': ['kept'] }, 'New'));
  const ran = await world.sync({ through: showing() });
  expect([ran.exitCode, world.employee('l1').name]).toEqual([4, 'New']);
  expect(told(ran)[0]).toContain('the data schemas 11 and 13 are called so');
  expect(stored(world)).toEqual(expect.arrayContaining([{ data_schema_id: 11, values: ['B1'] }, KEPT]));
});

test('a schema that another one of its name replaces makes way for it, once everybody was asked for', async () => {
  const world = await openWorld(BADGE);
  await world.sync({ through: showing(schema('11', 'Badge')) });
  const through = showing(schema('13', 'Badge'), schema('12', 'Other'));
  const early = await world.sync({ through });
  expect(told(early)[0]).toContain('the data schemas 11 and 13 are called so');
  const ran = await world.sync({ through, full: true });
  expect([ran.exitCode, told(ran)]).toEqual([0, []]);
  const next = await world.sync({ through });
  expect([next.exitCode, stored(world)]).toEqual([
    0,
    expect.arrayContaining([{ data_schema_id: 13, values: ['B1'] }]),
  ]);
  const gone = await world.sync({ through: showing(schema('12', 'Other')), full: true });
  expect([gone.exitCode, told(gone)]).toEqual([0, []]);
});

test('a name whose schema is mapped by its id too waits, and the id goes on', async () => {
  const rules = { 'properties.11': 'a', 'properties.Badge': 'b' };
  const world = await openWorld({ ...BADGE, ...people({ '11': ['A'], Badge: ['B'] }), rules });
  const ran = await world.sync({ through: showing(schema('11', 'Badge')) });
  expect([ran.exitCode, stored(world)]).toEqual([4, [{ data_schema_id: 11, values: ['A'] }]]);
  expect(told(ran)[0]).toContain('the data schema 11 is mapped by "11" too');
});

test('where all that is mapped waits, nobody’s properties are cleared', async () => {
  const rules = { 'properties.Badge': 'b' };
  const world = await openWorld({ ...BADGE, ...people({ Badge: ['B'] }), rules });
  await world.sync({ through: showing() });
  world.sandbox.edit.changeEmployee('l1', { properties: [KEPT] });
  world.change(() => people({ Badge: ['B'] }, 'New'));
  const ran = await world.sync({ through: showing() });
  expect([ran.exitCode, world.employee('l1').name, stored(world)]).toEqual([4, 'New', [KEPT]]);
});

test('names cost no call: the schemas come with records that are read anyway', async () => {
  const options = { ...BADGE, ...people({ '11': ['B1'] }), rules: {} };
  const [plain, named] = [await openWorld(options), await openWorld(options)];
  await plain.sync();
  await named.sync();
  Object.assign(named.source, { rules: { unit: {}, person: { 'properties.Field 11': 'b' }, position: {} } });
  named.change(() => people({ 'Field 11': ['B2'] }));
  plain.change(() => people({ '11': ['B2'] }));
  const [one, two] = [await plain.sync({ full: true }), await named.sync({ full: true })];
  expect([two.exitCode, stored(named)]).toEqual([0, [{ data_schema_id: 11, values: ['B2'] }]]);
  expect(two.calls.length).toBe(one.calls.length);
});

const STRICT = { ...NO_GUARD, updates: { percent: 0, count: 0 } };

test('what waited goes out with the next run, and no guard counts it: it is no change of the source', async () => {
  const world = await openWorld({ ...BADGE, sync: { guard: STRICT } });
  await world.sync({ through: showing() });
  const learning = await world.sync({ through: showing(schema('11', 'Badge')) });
  expect([learning.exitCode, learning.planned]).toEqual([0, []]);
  const ran = await world.sync();
  expect([ran.exitCode, ran.planned.length, stored(world)]).toEqual([
    0,
    3,
    [{ data_schema_id: 11, values: ['B1'] }, KEPT],
  ]);
  world.change(() => people({ Badge: [], '12': ['kept'] }));
  expect((await world.sync({ approve: [] })).plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
});

test('a value that nobody had waited for counts, of another schema or later on', async () => {
  const world = await openWorld({ ...BADGE, sync: { guard: STRICT } });
  await world.sync({ through: showing() });
  await world.sync({ through: showing(schema('11', 'Badge')) });
  world.change(() => people({ Badge: ['B1'], '12': ['kept'], '13': ['other'] }));
  expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
  world.change(() => people({ '12': ['kept'] }));
  await world.sync();
  world.change(() => people({ Badge: ['B3'], '12': ['kept'] }));
  expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
});

test('what waited and was interrupted goes out with a later run', async () => {
  const world = await openWorld({ ...BADGE, sync: { guard: STRICT } });
  await world.sync({ through: showing() });
  await world.sync({ through: showing(schema('11', 'Badge')) });
  const stopped = await world.sync({
    through: (service) => ({ ...service, importEmployees: () => Promise.reject(new Error('killed')) }),
  });
  expect(stopped.exitCode).toBe(1);
  const ran = await world.sync();
  expect([ran.exitCode, ran.plan?.held, stored(world)]).toEqual([
    0,
    [],
    [{ data_schema_id: 11, values: ['B1'] }, KEPT],
  ]);
});

test('what waited counts where it comes with a change, or where somebody else has put a value', async () => {
  const world = await openWorld({ ...BADGE, sync: { guard: STRICT } });
  await world.sync({ through: showing() });
  await world.sync({ through: showing(schema('11', 'Badge')) });
  world.change(({ people: all }) => ({
    people: all.map((one) =>
      'fields' in one && one.id === '1' ? { ...one, fields: { ...one.fields, name: 'New' } } : one,
    ),
  }));
  const theirs = { data_schema_id: 11, values: ['theirs'] };
  world.sandbox.edit.changeEmployee('l2', { properties: [theirs, KEPT] });
  const ran = await world.sync({ through: showing(schema('11', 'Badge')) });
  expect(ran.plan?.held).toMatchObject([{ guard: 'updates', count: 2 }]);
  expect([stored(world), world.employee('l2').profile['properties']]).toEqual([[KEPT], [theirs, KEPT]]);
  expect(world.employee('l3').profile['properties']).toEqual([{ data_schema_id: 11, values: ['B1'] }, KEPT]);
});
