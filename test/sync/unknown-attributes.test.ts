import { describe, expect, test } from 'vitest';
import type { UnknownAttribute } from '../../src/domain/reading/source-part.ts';
import { at, openWorld, person, unit } from './world.ts';

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
  test('keep their fields as they were sent, while the others flow; the run names them and exits 4', async () => {
    const world = await openWorld({ units: [unit('u1'), unit('u2')], people: PEOPLE });
    await world.sync();
    const before = world.employee('l1');
    world.change(() => ({ people: BLIND, unknown: UNKNOWN }));
    const ran = await world.sync();
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
  });

  test('send nothing again and again, and take nothing back when they are corrected', async () => {
    const world = await openWorld({ units: [unit('u1'), unit('u2')], people: PEOPLE });
    await world.sync();
    world.change(() => ({ people: BLIND, unknown: UNKNOWN }));
    await world.sync();
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.change(() => ({ people: PEOPLE, unknown: [] }));
    const ran = await world.sync();
    expect(ran.exitCode).toBe(0);
    expect(world.state().people).toEqual([
      'l1 Name 1 a@x u1[Head primary] u2[]',
      'l2 Name 2 a@x u1[Dev primary] u2[]',
    ]);
  });

  test('let new people come with what is known of them', async () => {
    const world = await openWorld({ units: [unit('u1'), unit('u2')], people: BLIND });
    world.change(() => ({ unknown: UNKNOWN }));
    expect((await world.sync()).exitCode).toBe(4);
    expect(world.state().people).toEqual(['l1 New 1 u1[primary]', 'l2 New 2 u1[primary]']);
  });

  test('keep people where they are whose units all come from one of them', async () => {
    const world = await openWorld({ units: [unit('u1'), unit('u2')], people: PEOPLE });
    await world.sync();
    const before = world.state();
    const people = PEOPLE.map((one) => ({ ...one, positions: [] }));
    world.change(() => ({ people, unknown: [places('department', 'positions[0].unit')] }));
    expect((await world.sync()).exitCode).toBe(4);
    expect(world.state()).toEqual(before);
  });

  test('of a filter alone are named, and cost nothing', async () => {
    const world = await openWorld({ people: PEOPLE, units: [unit('u1'), unit('u2')] });
    world.change(() => ({
      unknown: [{ part: 'people', name: 'hiden', places: ['source.people.filter'], suggestion: null }],
    }));
    const ran = await world.sync();
    expect(ran.exitCode).toBe(0);
    expect(ran.report.end.unknown).toEqual(['hiden (source.people.filter)']);
  });
});
