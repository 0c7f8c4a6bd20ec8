import { describe, expect, test } from 'vitest';
import type { UnknownAttribute } from '../../src/domain/reading/source-part.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { JsonObject } from '../../src/interface/json.ts';
import { NO_GUARD } from '../plan/build.ts';
import {
  at,
  having,
  loadedWorld,
  ofPeople,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  type World,
  type WorldOptions,
} from './world.ts';

const NONE = { percent: 0, count: 0 };
const HOLDS_LOST = { guard: { ...NO_GUARD, lost: NONE } };
const ALL = withFields;
const NAMED = ALL((id) => ({ name: `New ${id}` }));
const USERNAMES = SMALL.people.map(({ username }) => username);
const profiles = (world: World, name: string) =>
  USERNAMES.map((username) => world.employee(username).profile[name]);

interface Property {
  readonly data_schema_id: string | bigint;
  readonly values: readonly string[];
}

describe('fields of an account that nobody has mapped', () => {
  /** Accounts that are there before rollcall comes, two of them with numbers that no source has. */
  async function before(options: WorldOptions = {}, more: JsonObject = {}): Promise<World> {
    const world = await openWorld(options);
    const { edit, rootId } = world.sandbox;
    for (const username of USERNAMES) {
      const typed = username === 'l3' ? {} : { sn: `SN ${username}`, sort_order: 7, ...more };
      edit.addEmployee({ username, name: 'Old', positions: [{ org_id: rootId }], ...typed });
    }
    return world;
  }
  const KEPT = ['SN l1', 'SN l2', undefined];

  test.each([[[]], [['absent=clear']], [['absent=clear', 'defaults=zero']]])(
    'go along in every write, so that nobody loses them (%j)',
    async (readings) => {
      const world = await before({ readings });
      await world.run({}, { listed: '', sent: 'importOrganizations*2, importEmployees' });
      expect(profiles(world, 'sn')).toEqual(KEPT);
      await world.run(NAMED, { sent: 'importEmployees' });
      expect([profiles(world, 'sn'), world.employee('l2').profile['sort_order']]).toEqual([KEPT, 7]);
      await world.rests();
    },
  );

  test('flow once they are mapped, also to be emptied', async () => {
    const world = await before({ readings: ['absent=clear'] });
    await world.run({});
    await world.run(ALL((id) => ({ sn: id === '1' ? 'S' : null })));
    expect(profiles(world, 'sn')).toEqual(['S', undefined, undefined]);
  });

  test('are left out with sync.unmapped: omit', async () => {
    const world = await before({ readings: ['absent=clear'], sync: { unmapped: 'omit' } });
    await world.run({});
    expect(profiles(world, 'sn')).toEqual([undefined, undefined, undefined]);
  });

  test.each(['properties=replace', 'properties=merge'])(
    'are properties beside those that are mapped (%s)',
    async (reading) => {
      const typed = { data_schema_id: '12', values: ['typed in'] };
      const world = await before({ readings: [reading, 'absent=clear'] }, { properties: [typed] });
      for (const value of ['a', 'b']) {
        await world.run(ALL({ properties: { '11': [value] } }));
        for (const shown of profiles(world, 'properties').slice(
          0,
          2,
        ) as unknown as readonly (readonly Property[])[])
          expect(shown.map(({ data_schema_id: id, values }) => `${id} ${values.join()}`).toSorted()).toEqual([
            `11 ${value}`,
            '12 typed in',
          ]);
      }
      await world.rests();
    },
  );

  test('and are shown masked are never sent back: the person is held until somebody approves', async () => {
    const world = await before({ readings: ['masked', 'absent=clear'], sync: HOLDS_LOST });
    world.sandbox.edit.changeEmployee('l2', { mobile: '13812340000' });
    const held = await world.run({}, { exit: 3, listed: '', held: 'lost 1/0' });
    expect(held.plan?.held[0]?.first).toEqual(['l2 (Name 2)']);
    expect(world.employee('l2')).toMatchObject({ name: 'Old', profile: { mobile: '13812340000' } });
    await world.run({}, { exit: 3, sent: '', planned: 'adopt 2' });
    await world.run({ approve: held });
    expect([profiles(world, 'sn'), world.employee('l2').profile['mobile']]).toEqual([KEPT, undefined]);
    await world.rests();
  });
});

/** Somebody has typed this in for everybody. */
async function typedIn(
  values: JsonObject,
  { people = SMALL.people, ...options }: WorldOptions,
): Promise<World> {
  const world = await loadedWorld({ ...options, people });
  for (const username of USERNAMES) world.sandbox.edit.changeEmployee(username, values);
  return world;
}

const PROPERTY = ['11', '12'].map((id) => ({ data_schema_id: id, values: [id] }));
const SHIRT = { data_schema_id: '900', values: ['XL'] };

describe('a value that no import takes as it is shown', () => {
  test.each<readonly [string, JsonObject, string]>([
    ['propertyShape=schema', { properties: [SHIRT] }, 'properties'],
    ['tagsShown=names', { tag_names: [{ group: 'Staff', tag: 'VIP' }] }, 'tag_names'],
    ['masked', { mobile: '13812340000' }, 'mobile'],
  ])('is held by name, and lost by nobody, until somebody approves (%s)', async (reading, values, name) => {
    const world = await typedIn(values, { readings: [reading, 'absent=clear'], sync: HOLDS_LOST });
    const ran = await world.run(NAMED, { exit: 3, sent: '', held: 'lost 3/0' });
    expect(ran.changes.map(({ loses }) => loses?.fields)).toEqual([[name], [name], [name]]);
    expect(profiles(world, name)).not.toContain(undefined);
  });

  test.each([
    ['masked', { '11': ['a'] }, PROPERTY],
    ['propertyShape=schema', { '11': ['a'] }, [{ data_schema_id: '11', values: ['a'] }, SHIRT]],
  ])('is a property beside those that are mapped (%s)', async (reading, mapped, properties) => {
    const world = await loadedWorld({ readings: [reading, 'absent=clear'], sync: HOLDS_LOST });
    await world.run(ALL({ properties: mapped }));
    world.sandbox.edit.changeEmployee('l1', { properties });
    const ran = await world.run(
      ALL((id) => ({ name: `New ${id}`, properties: { '11': ['b'] } })),
      { exit: 3, held: 'lost 1/0' },
    );
    expect(ran.plan?.held[0]?.first).toEqual(['l1 (New 1)']);
    expect(world.employee('l1').profile['properties']).toEqual(properties);
    expect(world.employee('l2').name).toBe('New 2');
  });
});

describe('a field that is mapped later, and empty in the source,', () => {
  test('is a change of whoever has a value in the service, and of nobody else', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.changeEmployee('l1', { mobile: '+49 1', sort_order: 7 });
    await world.isSilent();
    const ran = await world.run(ALL({ mobile: null, sort_order: null }), { planned: 'update 1' });
    expect(ran.fields('1')).toEqual(['mobile', 'sort_order']);
    const { mobile, sort_order: order } = world.employee('l1').profile;
    expect([mobile ?? '', order ?? null]).toEqual(['', null]);
    await world.rests();
  });

  test('is emptied where an account is adopted, also where the service does not show it', async () => {
    const world = await loadedWorld({
      people: [person('1', { fields: { birthday: '641520000000', rank: '3' } })],
    });
    world.loseLedger();
    await world.run(ALL({ birthday: null, rank: null }), { planned: 'adopt 1, adopt u1, adopt u2' });
    const { birthday = null, rank = null } = world.employee('l1').profile;
    expect([birthday, rank]).toEqual([null, null]);
  });
});

describe('tags by name', () => {
  const tagged = (tags: Fields['tag_names'], more: Fields = {}) => ALL({ ...more, tag_names: tags ?? null });
  const VIP = { Staff: ['VIP', 'Board'], Site: ['Kiel'] };
  const SHOWN = [
    { group: 'Staff', tag: 'VIP' },
    { group: 'Staff', tag: 'Board' },
    { group: 'Site', tag: 'Kiel' },
  ];
  async function opened(options: WorldOptions = {}): Promise<World> {
    const world = await openWorld(options);
    await world.run(tagged(VIP));
    expect(profiles(world, 'tag_names')).toEqual([SHOWN, SHOWN, SHOWN]);
    await world.rests();
    return world;
  }

  test('go out with their groups, and those by id that an account shows do not go along', async () => {
    const world = await typedIn({ tags: [7] }, { sync: { guard: NO_GUARD } });
    await world.run(tagged(VIP, { name: 'New' }));
    expect([profiles(world, 'tag_names')[0], profiles(world, 'tags')[0]]).toEqual([SHOWN, undefined]);
  });

  test('that nobody mapped go along by their ids, and never by names without groups', async () => {
    const world = await loadedWorld({ readings: ['absent=clear'] });
    world.sandbox.edit.changeEmployee('l1', { tag_names: SHOWN });
    const bodies: string[] = [];
    world.sandbox.onCall = ({ operation }, body) => {
      if (operation === 'importEmployees') bodies.push(body);
    };
    await world.run(NAMED);
    expect(bodies.join('')).toMatch(/"tags":\[\d+,\d+,\d+\]/u);
    expect(bodies.join('')).not.toContain('tag_names');
  });

  test('of which one group turns empty for many are held, with what else changes of them', async () => {
    const world = await opened({ sync: { guard: { ...NO_GUARD, emptied: { percent: 0, count: 1 } } } });
    const held = await world.run(tagged({ Site: ['Bonn'] }), { exit: 3, sent: '', held: 'emptied 3/1' });
    await world.run({ approve: held });
    expect(profiles(world, 'tag_names')[0]).toEqual([{ group: 'Site', tag: 'Bonn' }]);
  });

  test('of which one group cannot be read stay as they were sent, and go along with the rest', async () => {
    const world = await opened({ readings: ['absent=clear'] });
    const losses = [{ field: 'tag_names.Site', reason: 'cannot be read' }];
    const people = SMALL.people.map((one) => ({ ...one, fields: { name: 'New' }, losses }));
    await world.run(ofPeople(...people), { exit: 4 });
    expect([world.employee('l1').name, profiles(world, 'tag_names')[0]]).toEqual(['New', SHOWN]);
  });
});

describe('an optional field that cannot be read', () => {
  const LOST = { field: 'email', reason: '"x" is not one' };
  const positions = [at('u1', { job_title: 'Clerk', primary: true })];
  const whole = (fields: Fields = {}) =>
    having(person('1', { fields: { email: 'one@x', sn: '7', ...fields }, positions }));
  const torn = (fields: Fields) => having(person('1', { fields, positions, losses: [LOST] }));

  test('stays as it was sent, and the person goes on, listed by name', async () => {
    const world = await openWorld();
    await world.run(whole());
    const change = torn({ name: 'Renamed', sn: '8' });
    const ran = await world.run(change, { exit: 4, planned: 'update 1', listed: '1 keeps email' });
    const failed = ran.lines.find(({ fields }) => fields['event'] === 'item.failed')?.fields;
    expect(failed).toMatchObject({ username: 'l1', field: 'email' });
    expect(world.employee('l1')).toMatchObject({ name: 'Renamed', profile: { email: 'one@x' } });
    await world.runs({}, { exit: 4, sent: '', listed: '1 keeps email' }, [false, true]);
    await world.run(whole({ name: 'Renamed', sn: '8' }), { sent: '' });
    await world.run(whole({ name: 'Renamed', sn: '8', email: null }), { planned: 'update 1' });
    await world.rests();
  });

  test('is left out of a new account, and sent when it can be read', async () => {
    const world = await openWorld();
    await world.run(torn({ sn: '7' }), { exit: 4, listed: '1 keeps email' });
    await world.run(whole(), { planned: 'update 1' });
    await world.rests();
  });

  test('may be one of many properties, a title, a secret: each alone', async () => {
    const fields = { properties: { 11: ['a'], 12: ['b'] } };
    const secrets = { id_card: 'C4RD' };
    const seat = [at('u1', { job_title: 'Clerk', chief: true })];
    const world = await loadedWorld({ people: [person('1', { fields, positions: seat, secrets })] });
    const names = ['properties.12', 'positions.job_title', 'id_card'];
    const losses = names.map((name) => ({ field: name, reason: 'is bad' }));
    const left = person('1', {
      fields: { properties: { 11: ['new'] } },
      positions: [at('u1', { chief: false })],
      losses,
    });
    const listed = names.map((name) => `1 keeps ${name}`).join(', ');
    const ran = await world.run(ofPeople(left), { exit: 4, planned: 'update 1', listed });
    expect(ran.fields('1')).toEqual(['properties', 'positions']);
    expect(world.state().people).toEqual(['l1 Name 1 u1[Clerk primary]']);
    const properties = [{ values: ['new'] }, { values: ['b'] }];
    expect(world.employee('l1').profile).toMatchObject({ id_card: 'C4RD', properties });
    await world.run({}, { exit: 4, sent: '' });
  });

  test('of a unit stays as it was sent, and what hangs below goes on', async () => {
    const world = await loadedWorld({
      units: [unit('u1', null, { tel: '1', sort_order: '5' }), unit('u2', 'u1')],
    });
    world.change(having(person('4', { positions: [at('u2')] })));
    const losses = [{ field: 'sort_order', reason: '"x" is not an integer' }];
    const units = [{ ...unit('u1', null, { tel: '2' }), losses }, unit('u2', 'u1')];
    await world.run(() => ({ units }), {
      exit: 4,
      planned: 'create 4, update u1',
      listed: 'u1 keeps sort_order',
    });
    expect(world.organization('u1')).toMatchObject({ tel: '2', sortOrder: 5 });
    await world.run({}, { exit: 4, sent: '' });
  });
});

describe('attributes that the directory does not know', () => {
  const places = (name: string, ...where: readonly string[]): UnknownAttribute => ({
    part: 'people',
    name,
    places: where.map((field) => `source.people.fields.${field}`),
    suggestion: 'mail',
  });
  const fields = { email: 'a@x', sn: '7', properties: { 11: ['p'], 12: ['q'] } };
  const people = ['1', '2'].map((id) =>
    person(id, { fields, positions: [at('u1', { job_title: 'Dev', primary: true }), at('u2')] }),
  );
  const blind = people.map((one) => ({
    ...one,
    fields: { name: `New ${one.id}`, sn: '7', properties: { 12: ['q'] } },
    positions: [at('u1')],
  }));
  const unknown = [
    places('mial', 'email', 'properties.11'),
    places('titel', 'positions[0].job_title'),
    places('department', 'positions[1].unit'),
  ];

  test('keep their fields as they were sent, are named by the run, and take nothing back when they are corrected', async () => {
    const world = await loadedWorld({ people });
    const { profile } = world.employee('l1');
    const ran = await world.run(() => ({ people: blind, unknown }), { exit: 4 });
    expect(world.employee('l1').profile).toEqual(profile);
    expect(world.state().people[0]).toBe('l1 New 1 a@x u1[Dev primary] u2[]');
    expect(ran.report.end.unknown?.map((one) => one.split(' ')[0])).toEqual(['mial', 'titel', 'department']);
    const warned = ran.lines.flatMap(({ fields: { attributes } }) => attributes ?? []);
    expect(warned).toEqual(ran.report.end.unknown);
    await world.run({ full: true }, { exit: 4, sent: '' });
    await world.run(() => ({ people, unknown: [] }));
    await world.rests();
  });

  test('keep people where they are whose units all come from one of them', async () => {
    const world = await loadedWorld({ people });
    const before = world.state();
    const nowhere = people.map((one) => ({ ...one, positions: [] }));
    await world.run(() => ({ people: nowhere, unknown: [places('department', 'positions[0].unit')] }), {
      exit: 4,
    });
    expect(world.state()).toEqual(before);
  });
});
