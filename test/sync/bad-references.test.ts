import { describe, expect, test } from 'vitest';
import type { SourceMark, UnknownAttribute } from '../../src/domain/reading/source-part.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, loadedWorld, openWorld, person, refusal, unit, type SyncOptions, type World } from './world.ts';

const UNITS = { units: ['u1', 'u2', 'u3'].map((id) => unit(id)) };
const inUnits = (...refs: readonly string[]) => ({
  ...UNITS,
  people: [person('1', { positions: refs.map((ref) => at(ref)) }), person('2')],
});
const placesOf = (world: World): number => world.employee('l1').positions.length;

test('a reference that means no unit stops only itself: places follow the others, and none piles up', async () => {
  const world = await loadedWorld(inUnits('u1', 'u2'));
  for (const ref of ['u3', 'u1', 'u2']) {
    const ran = await world.syncAfter(() => inUnits(ref, '-7'));
    expect([ran.exitCode, world.state().people[0]]).toEqual([4, `l1 Name 1 ${ref}[primary]`]);
    expect((await world.sync()).changing).toEqual([]);
  }
  expect([(await world.syncAfter(() => inUnits('u3'))).exitCode, placesOf(world)]).toEqual([0, 1]);
});

const twoWith = (ref: string) => ({
  ...UNITS,
  people: [person('1', { positions: [at('u1'), at(ref)] }), person('2', { positions: [at('u2')] })],
});

test.each<readonly [string, Partial<MemoryWorld>, string]>([
  [
    'cannot be used',
    { units: [unit('u1'), unit('u3'), { ...refusal('unit', 'u2', 'name'), unitRefs: ['u2'] }] },
    '',
  ],
  [
    'is named twice',
    {
      units: [unit('u1'), unit('u2'), { ...unit('u3'), refs: ['u2', 'u3'] }],
    },
    ' u3[]',
  ],
])('a person stays in a unit of which the record %s, and leaves others', async (_, broken, also) => {
  const world = await loadedWorld({ ...UNITS, people: [person('1', { positions: [at('u2'), at('u3')] })] });
  const ran = await world.syncAfter(() => ({ ...twoWith('u2'), ...broken }));
  expect([ran.exitCode, world.state().people[0]]).toEqual([4, `l1 Name 1 u1[] u2[primary]${also}`]);
});

const ROWS = [
  { person: '1', position: at('u1', { primary: true }) },
  { person: '1', position: at('u2', { primary: false }) },
  { person: '2', position: at('u2', { primary: true }) },
];
const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1')],
  people: [person('1', { positions: [] }), person('2', { positions: [] })],
  positions: ROWS,
};

const nobodys = { ...refusal('position', null, 'person'), unitRefs: ['u2'] };

describe('a row of positions of which not even the person can be read', () => {
  test('takes nobody’s position in its unit, and what else changed flows', async () => {
    const world = await loadedWorld(COMPANY);
    const before = world.state();
    const renamed = person('2', { positions: [], fields: { name: 'Renamed' } });
    const ran = await world.syncAfter(({ people }) => ({
      people: [...people.slice(0, 1), renamed],
      positions: [ROWS[0]!, nobodys, ROWS[2]!],
    }));
    expect([ran.exitCode, ran.planned]).toEqual([4, ['update person 2']]);
    expect(ran.listed.join('\n')).toMatch(
      /1: positions: the one in unit u2 may be a row whose person cannot be read[^]*row of null: person/u,
    );
    const [first, second] = world.state().people;
    expect([first, second]).toEqual([before.people[0], before.people[1]?.replace('Name 2', 'Renamed')]);
    const again = await world.sync({ full: true });
    expect([again.exitCode, again.changing, again.listed]).toEqual([4, [], ran.listed]);
  });

  test.each([
    ['1.0', '1'],
    ['01', '1'],
    ['１', '1'],
    ['ab', 'AB'],
  ])('as %j for %j: takes nobody’s position, and is listed with what is near', async (near, id) => {
    const rows = [{ ...ROWS[0]!, person: id }, { ...ROWS[1]!, person: id }, ROWS[2]!];
    const world = await loadedWorld({
      ...COMPANY,
      people: [person(id, { positions: [] }), person('2', { positions: [] })],
      positions: rows,
    });
    const before = world.state();
    world.change(() => ({ positions: [rows[0]!, { ...ROWS[1]!, person: near }, ROWS[2]!] }));
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed.join()).toContain(`"${id}" is there`);
    }
    expect(world.state()).toEqual(before);
  });

  test.each([
    ['p 1', 'p1'],
    ['01', '1'],
  ])('is none where the source has a person of just that id: %j beside %j', async (joins, id) => {
    const people = [person(id, { positions: [] }), person('2', { positions: [] })];
    const rows = [{ ...ROWS[0]!, person: id }, ROWS[2]!];
    const world = await loadedWorld({ ...COMPANY, people, positions: rows });
    const ran = await world.syncAfter(() => ({
      people: [...people, person(joins, { username: 'joiner', positions: [] })],
      positions: [...rows, { person: joins, position: at('u2', { primary: true }) }],
    }));
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect(world.employee('joiner').positions).toHaveLength(1);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

const having = (source: Source, tableMarks: readonly SourceMark[]): Source =>
  Object.assign(Object.create(source) as Source, { tableMarks });

test('a table of lookups that is less than it was makes the read incomplete, until somebody asks for a full run', async () => {
  const world = await openWorld();
  const mark = { name: 'lookups.left.file line break', behind: 'lookups.left.file may be cut' };
  const sync = (value: string, more: SyncOptions = {}) =>
    world.sync({ ...more, from: (source) => having(source, [{ ...mark, value }]) });
  expect((await sync('yes')).exitCode).toBe(0);
  for (let run = 1; run <= 2; run += 1) {
    const cut = await sync('no');
    expect([cut.exitCode, cut.changing]).toEqual([1, []]);
    expect(cut.error).toMatch(/source: lookups\.left\.file may be cut; .* rollcall sync --full/u);
  }
  expect((await sync('yes')).exitCode).toBe(0);
  expect((await sync('no', { full: true })).exitCode).toBe(0);
  expect((await sync('no')).exitCode).toBe(0);
});

const places = (name: string, ...where: readonly string[]): UnknownAttribute => ({
  part: 'people',
  name,
  places: where.map((field) => `source.people.fields.${field}`),
  suggestion: 'mail',
});

const FIELDS = { email: 'a@x', sn: '7', properties: { 11: ['p'], 12: ['q'] } };
const PEOPLE = [
  person('1', { fields: FIELDS, positions: [at('u1', { job_title: 'Head' }), at('u2')] }),
  person('2', { fields: FIELDS, positions: [at('u1', { job_title: 'Dev' }), at('u2')] }),
];
/** The same people, read with rules of which these attributes are unknown. */
const BLIND = PEOPLE.map((one) => ({
  ...one,
  fields: { name: `New ${one.id}`, sn: '7', properties: { 12: ['q'] } },
  positions: [at('u1')],
}));
const UNKNOWN = [
  places('mial', 'email', 'properties.11'),
  places('titel', 'positions[0].job_title'),
  places('department', 'positions[1].unit'),
];

describe('attributes that the directory does not know', () => {
  test('keep their fields as they were sent, are named by the run, and take nothing back when they are corrected', async () => {
    const world = await loadedWorld({ units: [unit('u1'), unit('u2')], people: PEOPLE });
    const before = world.employee('l1');
    const ran = await world.syncAfter(() => ({ people: BLIND, unknown: UNKNOWN }));
    expect([ran.exitCode, ran.error, ran.report.end.result]).toEqual([4, '', 'partial']);
    const after = world.employee('l1');
    expect(after.name).toBe('New 1');
    expect(after.profile).toEqual(before.profile);
    expect(world.state().people).toEqual([
      'l1 New 1 a@x u1[Head primary] u2[]',
      'l2 New 2 a@x u1[Dev primary] u2[]',
    ]);
    const named = [
      'mial (source.people.fields.email, source.people.fields.properties.11): did you mean mail?',
      'titel (source.people.fields.positions[0].job_title): did you mean mail?',
      'department (source.people.fields.positions[1].unit): did you mean mail?',
    ];
    const warned = ran.lines.filter(
      ({ level, message }) => level === 'warn' && /does not know/u.test(message),
    );
    expect(warned.map(({ fields }) => fields)).toEqual([{ attributes: named }]);
    expect(ran.report.end.unknown).toEqual(named);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    expect((await world.syncAfter(() => ({ people: PEOPLE, unknown: [] }))).exitCode).toBe(0);
    expect(world.state().people).toEqual([
      'l1 Name 1 a@x u1[Head primary] u2[]',
      'l2 Name 2 a@x u1[Dev primary] u2[]',
    ]);
  });

  test('keep people where they are whose units all come from one of them', async () => {
    const world = await loadedWorld({ units: [unit('u1'), unit('u2')], people: PEOPLE });
    const before = world.state();
    const people = PEOPLE.map((one) => ({ ...one, positions: [] }));
    world.change(() => ({ people, unknown: [places('department', 'positions[0].unit')] }));
    expect((await world.sync()).exitCode).toBe(4);
    expect(world.state()).toEqual(before);
  });
});
