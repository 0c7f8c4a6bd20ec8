import { describe, expect, test } from 'vitest';
import { at, loadedWorld, openWorld, person, SMALL, unit, type PersonParts } from './world.ts';
import { expectSilence } from './reverting.ts';

const LOST = { field: 'email', reason: '"x" is not one' };
const whole = (fields: PersonParts['fields'] = {}) =>
  person('1', {
    fields: { email: 'one@x', sn: '7', ...fields },
    positions: [at('u1', { job_title: 'Clerk', primary: true })],
  });
/** The same person without the fields that cannot be read. */
const torn = (parts: PersonParts = {}) =>
  person('1', {
    fields: { sn: '7' },
    positions: [at('u1', { job_title: 'Clerk', primary: true })],
    losses: [LOST],
    ...parts,
  });
const rest = SMALL.people.slice(1);

describe('an optional field that cannot be read', () => {
  test('stays as it was sent, and the person goes on, listed by name', async () => {
    const world = await loadedWorld({ people: [whole(), ...rest] });
    world.change(() => ({ people: [torn({ fields: { name: 'Renamed', sn: '8' } }), ...rest] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([4, ['update person 1']]);
    expect(ran.listed).toEqual(['1: email: "x" is not one; this value stays unchanged, the rest goes on']);
    expect(ran.lines.find(({ fields }) => fields['event'] === 'item.failed')?.fields).toMatchObject({
      username: 'l1',
      field: 'email',
    });
    expect(world.state().people[0]).toBe('l1 Renamed one@x u1[Clerk primary]');
    for (const full of [false, true]) {
      const again = await world.sync({ full });
      expect([again.exitCode, again.changing, again.listed]).toEqual([4, [], ran.listed]);
    }
    const healed = await world.syncAfter(() => ({ people: [whole({ name: 'Renamed', sn: '8' }), ...rest] }));
    expect([healed.exitCode, healed.changing]).toEqual([0, []]);
    world.change(() => ({ people: [whole({ name: 'Renamed', sn: '8', email: null }), ...rest] }));
    expect((await world.sync()).planned).toEqual(['update person 1']);
  });

  test('is left out of a new account, and sent when it can be read', async () => {
    const world = await openWorld({ people: [torn(), ...rest] });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned.length, ran.listed.length]).toEqual([4, 5, 1]);
    expect(world.state().people[0]).toBe('l1 Name 1 u1[Clerk primary]');
    world.change(() => ({ people: [whole(), ...rest] }));
    expect((await world.sync()).planned).toEqual(['update person 1']);
    expect(world.state().people[0]).toBe('l1 Name 1 one@x u1[Clerk primary]');
  });

  test('also one of many properties, a title, a secret: each alone', async () => {
    const positions = [at('u1', { job_title: 'Clerk', chief: true })];
    const fields = { properties: { 11: ['a'], 12: ['b'] } };
    const secrets = { id_card: 'C4RD' };
    const world = await loadedWorld({ people: [person('1', { fields, positions, secrets })] });
    const losses = ['properties.12', 'positions.job_title', 'id_card'].map((field) => ({
      field,
      reason: 'is bad',
    }));
    const left = person('1', {
      fields: { properties: { 11: ['new'] } },
      positions: [at('u1', { chief: false })],
      losses,
    });
    const ran = await world.syncAfter(() => ({ people: [left] }));
    expect([ran.exitCode, ran.planned, ran.listed.length]).toEqual([4, ['update person 1'], 3]);
    expect(ran.fields('1')).toEqual(['properties', 'positions']);
    expect(world.state().people).toEqual(['l1 Name 1 u1[Clerk primary]']);
    expect(world.employee('l1').profile).toMatchObject({
      id_card: 'C4RD',
      properties: [{ values: ['new'] }, { values: ['b'] }],
    });
    expect((await world.sync()).changing).toEqual([]);
  });

  test('of a unit stays as it was sent, and what hangs below goes on', async () => {
    const units = [unit('u1', null, { tel: '1', sort_order: '5' }), unit('u2', 'u1')];
    const world = await loadedWorld({ units });
    const losses = [{ field: 'sort_order', reason: '"x" is not an integer' }];
    const ran = await world.syncAfter(({ people }) => ({
      units: [{ ...unit('u1', null, { tel: '2' }), losses }, unit('u2', 'u1')],
      people: [...people, person('4', { positions: [at('u2')] })],
    }));
    expect([ran.exitCode, ran.planned]).toEqual([4, ['create person 4', 'update unit u1']]);
    expect(ran.listed).toEqual([
      'u1: sort_order: "x" is not an integer; this value stays unchanged, the rest goes on',
    ]);
    expect(world.organization('u1')).toMatchObject({ tel: '2', sortOrder: 5 });
    expect((await world.sync()).changing).toEqual([]);
  });
});

describe('people of whom no unit is known', () => {
  const homeless = [
    person('1', { positions: [at('nowhere')] }),
    person('2', { positions: [] }),
    person('4', { positions: [at('nowhere', { job_title: 'New' })] }),
    person('5', { positions: [] }),
  ];

  test('live at the root where that is configured, who was there before too, and stay in step', async () => {
    const world = await loadedWorld({ sync: { orphans: 'root' } });
    const ran = await world.syncAfter(() => ({ people: [...homeless, person('3')] }));
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect(world.state().people).toEqual(
      ['1', '2']
        .map((id) => `l${id} Name ${id} (root)[primary]`)
        .concat('l3 Name 3 u1[primary]', ...['4', '5'].map((id) => `l${id} Name ${id} (root)[primary]`)),
    );
    await expectSilence(world);
    world.change(() => ({
      people: [person('1', { positions: [at('u2')] }), ...homeless.slice(1), person('3')],
    }));
    expect((await world.sync()).planned).toEqual(['update person 1']);
    expect(world.state().people[0]).toBe('l1 Name 1 u2[primary]');
  });
});
