import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';
import { startRest, type RestServer, type Row } from '../source/rest/rest-server.ts';
import { crowd, crowdSettings } from '../source/rest/rest-world.ts';
import { loadedWorld, openWorld, type World } from './world.ts';

const MAIL = [{ type: 'work', value: 'one@example.com' }];

/** Forty people in a unit, two of them with a mail address. */
const all = crowd(40).map((one, n): Row => ({
  ...one,
  works: n > 0,
  unit: 'u',
  ...(n < 2 && { mails: MAIL }),
}));
const units: readonly Row[] = [
  { id: 'u', title: 'Company', phone: '+49 30 123456' },
  { id: 'v', title: 'Sales', above: { id: 'u' } },
];

interface Stage {
  readonly world: World;
  /** Shows records without some names. */
  readonly hide: (...names: readonly string[]) => void;
  readonly server: RestServer;
}

async function openStage(rules: Row = {}, list: Row = {}): Promise<Stage> {
  const server = await startRest();
  onTestFinished(() => server.close());
  const hide: Stage['hide'] = (...names) => {
    const shown = (rows: readonly Row[]): readonly Row[] =>
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));
    server.lists = { people: shown(all), units: shown(units) };
  };
  hide();
  const fields = {
    id: 'id',
    username: 'login',
    name: 'name',
    active: 'works',
    email: 'mails[type=work].value',
    positions: [{ unit: 'unit' }],
    ...rules,
  };
  const ofUnits = {
    get: '/units',
    items: '/data',
    fields: { id: 'id', name: 'title', parent: 'above.id', tel: 'phone' },
  };
  const settings = crowdSettings(server.url, 'offset', { units: ofUnits, people: { fields, ...list } });
  return {
    world: await loadedWorld({ sync: { guard: SYNC.guard }, from: () => openSource(settings) }),
    hide,
    server,
  };
}

test.each<[what: string, names: readonly string[], rules: Row]>([
  ['a value', ['mails'], {}],
  ['a value that an expression reads', ['mails'], { email: { expr: "all['mails.value'][0]" } }],
  ['whether people work there', ['works'], {}],
  ['the units of people', ['unit'], {}],
  ['names', ['name'], {}],
  ['logins', ['login'], {}],
  ['a value of units', ['phone'], {}],
  ['all of these', ['mails', 'works', 'unit', 'name', 'phone'], {}],
])(
  'nothing changes once no record tells %s any more, and all is as before afterwards',
  async (_, names, rules) => {
    const { world, hide } = await openStage(rules);
    hide(...names);
    await world.run({}, { exit: 4, sent: '' });
    await world.run({}, { exit: 4, sent: '' });
    hide();
    await world.run({}, { sent: '' });
  },
);

test('two lists of two servers are read a second time together, as each lacks a field', async () => {
  const { server } = await openStage();
  const list = (path: string): string =>
    `from: SOURCE, get: ${path}, items: /data`.replace('SOURCE', path.slice(1));
  const one = `{ type: rest, url: "${server.url}", pages: { offset: skip, size: { limit: 50 } } }`;
  const from = () =>
    openSource(
      load(`${SERVICE}sources: { units: ${one}, people: ${one} }
source:
  units: { ${list('/units')}, fields: { id: id, name: title, tel: fax } }
  people: { ${list('/people')}, fields: { id: id, username: login, name: name, tel: fax, positions: [{ unit: unit }] } }
`).settings.source,
    );
  const world = await openWorld({ from });
  await world.run({}, { exit: 4 });
  expect(world.sandbox.state.employees()).toHaveLength(40);
});

test('a source whose units all lost what is above them is incomplete', async () => {
  const { world, hide } = await openStage();
  hide('above');
  const { error } = await world.run({}, { exit: 1, sent: '', error: 'read-lost-all' });
  expect(error).toContain('above.id (source.units.fields.parent)');
});

test('a list of fewer people is held if its total says the same, and incomplete if not', async () => {
  const { world, server } = await openStage();
  server.lists = { ...server.lists, people: all.slice(0, 25) };
  await world.run({}, { sent: '' });
  await world.run({ later: 1_440 }, { exit: 3, sent: '', held: 'leavers 15/5' });
  server.twist = ({ list }, usual) =>
    list === 'people' ? { ...usual, body: { ...(usual.body as object), total: 40 } } : null;
  await world.run({}, { exit: 1, sent: '', error: 'list-changed' });
});

test('a list that nothing proves has to have four fifths of its last people', async () => {
  const { world, server } = await openStage({}, { pages: 'none', complete: { trust: 'a test' } });
  server.lists = { ...server.lists, people: all.slice(0, 31) };
  await world.run({}, { exit: 1, sent: '', error: 'read-lost-part' });
  server.lists = { ...server.lists, people: all.slice(0, 32) };
  await world.run({}, { sent: '' });
});

test('jobs that name no unit any more take no places without approval; one that is gone does', async () => {
  const { server } = await openStage();
  const jobs = all.flatMap(({ id: who }) =>
    ['u', 'v'].map((id): Row => ({ no: `${String(who)} ${id}`, who, org: { id } })),
  );
  const show = (shown: readonly Row[]): void => void (server.lists = { ...server.lists, jobs: shown });
  show(jobs);
  const positions = { get: '/jobs', items: '/data', key: 'no', fields: { person: 'who', unit: 'org.id' } };
  const people = { fields: { id: 'id', username: 'login', name: 'name' } };
  const ofUnits = { get: '/units', items: '/data', fields: { id: 'id', name: 'title' } };
  const settings = crowdSettings(server.url, 'offset', { units: ofUnits, people, positions });
  const world = await loadedWorld({ sync: { guard: SYNC.guard }, from: () => openSource(settings) });
  const places = (): number =>
    world.sandbox.state.employees().reduce((sum, one) => sum + one.positions.length, 0);
  const isHidden = (n: number): boolean => n < 6 && n % 2 === 1;
  show(jobs.map((job, n) => (isHidden(n) ? { ...job, org: n === 1 ? { id: null } : undefined } : job)));
  await world.run({}, { exit: 3, sent: '', held: 'unexplained 3/1' });
  show(jobs.filter((_, n) => n !== 1));
  await world.run({});
  expect(places()).toBe(79);
});
