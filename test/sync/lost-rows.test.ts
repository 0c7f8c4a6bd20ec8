import { describe, expect, test } from 'vitest';
import { at, openWorld, person, refusal, unit } from './world.ts';

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
    const world = await openWorld(COMPANY);
    await world.sync();
    const before = world.state();
    const renamed = person('2', { positions: [], fields: { name: 'Renamed' } });
    world.change(({ people }) => ({
      people: [...people.slice(0, 1), renamed],
      positions: [ROWS[0]!, nobodys, ROWS[2]!],
    }));
    const ran = await world.sync();
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
    [' 1', '1'],
    ['01', '1'],
    ["'1", '1'],
    ['1\u200b', '1'],
    ['１', '1'],
    ['1', '001'],
    ['ab', 'AB'],
  ])('as %j for %j: takes nobody’s position, and is listed with what is near', async (near, id) => {
    const rows = [{ ...ROWS[0]!, person: id }, { ...ROWS[1]!, person: id }, ROWS[2]!];
    const world = await openWorld({
      ...COMPANY,
      people: [person(id, { positions: [] }), person('2', { positions: [] })],
      positions: rows,
    });
    await world.sync();
    const before = world.state();
    world.change(() => ({ positions: [rows[0]!, { ...ROWS[1]!, person: near }, ROWS[2]!] }));
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed.join()).toContain(`"${id}" is there`);
    }
    expect(world.state()).toEqual(before);
  });

  test('and neither the unit is listed and keeps nobody', async () => {
    const world = await openWorld(COMPANY);
    await world.sync();
    world.change(() => ({ positions: [ROWS[0]!, refusal('position', null, 'person'), ROWS[2]!] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([4, ['update person 1']]);
    expect(ran.listed).toEqual(['row of null: person: cannot be used']);
    expect(world.state().people[0]).toBe('l1 Name 1 u1[primary]');
  });

  test('corrected, what is really gone goes, however long it was kept', async () => {
    const world = await openWorld(COMPANY);
    await world.sync();
    world.change(() => ({ positions: [ROWS[0]!, nobodys, ROWS[2]!] }));
    expect((await world.sync()).planned).toEqual([]);
    expect((await world.sync()).planned).toEqual([]);
    world.change(() => ({ positions: [ROWS[0]!, ROWS[2]!] }));
    expect([(await world.sync()).exitCode, world.employee('l1').positions.length]).toEqual([0, 1]);
  });
});
