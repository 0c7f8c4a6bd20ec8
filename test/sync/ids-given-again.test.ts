import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const IDS = ['1', '2', '3', '4', '5', '6'];
const UNITS = [unit('a'), unit('b')];
const who = (id: string): Person => person(id, { positions: [at(Number(id) % 2 === 0 ? 'a' : 'b')] });
const COMPANY = { units: UNITS, people: IDS.map((id) => who(id)) };

/** The person with another one's number. */
const numbered = (id: string, one: Person): Person => ({ ...one, id });

const accounts = (world: World): readonly string[] => world.state().people;

const MARRIED = { fields: { name: 'Married' } };
const LEFT = { active: false };

/** Everybody with the number of the one before, some of them changed as well. */
const around = (changed: Readonly<Record<string, Partial<Person>>>): readonly Person[] =>
  IDS.map((id, index) => {
    const from = IDS[(index + 1) % IDS.length] ?? '';
    return numbered(id, { ...who(from), ...changed[from] });
  });

/** These people, in run after run, change nothing, and are asked about. */
async function expectAsked(people: readonly Person[]): Promise<World> {
  const world = await loadedWorld(COMPANY);
  const before = accounts(world);
  world.change(() => ({ people }));
  for (const full of [false, true, false, false]) {
    const ran = await world.sync({ later: 15, full });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held.map(({ guard }) => guard)).toEqual(['usernameReuse']);
    expect(ran.changes.find(({ id }) => id === '1')?.why).toMatch(
      /^its record has the username l2 of Name 2/u,
    );
  }
  expect(accounts(world)).toEqual(before);
  return world;
}

describe('a source that gives ids again', () => {
  test.each([
    [
      'to the next one, since one has left',
      IDS.slice(0, -1).map((id, index) => numbered(id, who(IDS[index + 1] ?? ''))),
    ],
    [
      'to two who swap them',
      [numbered('1', who('2')), numbered('2', who('1')), ...IDS.slice(2).map((id) => who(id))],
    ],
    ['to all, going round', around({})],
  ])('%s: makes nobody somebody else, locks nobody, and is asked', async (_, people) => {
    const world = await expectAsked(people);
    const back = await world.syncAfter(() => COMPANY);
    expect([back.exitCode, back.listed, back.changing]).toEqual([0, [], []]);
  });

  test.each<readonly [string, Partial<Person>, Partial<Person>]>([
    ['is called otherwise by now', MARRIED, {}],
    ['is called otherwise by now, and has left', { ...MARRIED, ...LEFT }, {}],
  ])('going round, of whom one %s: writes nobody into the account of a colleague', async (_, two, four) => {
    const world = await expectAsked(around({ 2: two, 4: four }));
    expect((await world.sync()).plan?.held).toMatchObject([{ count: IDS.length }]);
  });

  test('in a record that cannot be used and says "left": nobody is locked, and it is named', async () => {
    const world = await loadedWorld(COMPANY);
    const bad = {
      subject: 'person' as const,
      id: '1',
      place: 'row 1',
      field: 'name',
      reason: 'is empty',
      label: 'l2',
      active: false,
    };
    const swapped = [numbered('3', who('4')), numbered('4', who('3'))];
    const ran = await world.syncAfter(() => ({ people: [bad, ...swapped, who('5'), who('6')] }));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.changes.map(({ id, guard }) => `${id} ${guard}`)).toEqual(
      ['1', '3', '4'].map((id) => `${id} usernameReuse`),
    );
  });

  test('is no news where a colleague who has had that login in the source for long marries', async () => {
    const world = await loadedWorld(COMPANY);
    const swapped = { ...who('1'), username: 'l2' };
    const others = [{ ...who('2'), username: 'l1' }, ...IDS.slice(2).map((id) => who(id))];
    expect((await world.syncAfter(() => ({ people: [swapped, ...others] }), { later: 15 })).exitCode).toBe(0);
    world.change(() => ({ people: [{ ...swapped, fields: { name: 'Married' } }, ...others] }));
    expect((await world.sync({ later: 15 })).exitCode).toBe(0);
    expect(world.employee('l1').name).toBe('Married');
  });

  test('is no reason to ask where a colleague of another name gets the login of a leaver', async () => {
    const world = await loadedWorld(COMPANY);
    world.change(() => ({
      people: [{ ...who('1'), username: 'l2' }, ...IDS.slice(2).map((id) => who(id))],
    }));
    for (let run = 0; run < 3; run += 1) await world.sync({ later: 15 });
    expect([world.employee('l1').locked, world.employee('l2').locked]).toEqual([false, true]);
  });
});

describe('an account that a new id wants', () => {
  const rest = IDS.slice(2).map((id) => who(id));

  test.each([true, false])(
    'while its own record is another one now, is asked about, and not written (active: %s)',
    async (active) => {
      const world = await loadedWorld(COMPANY);
      const given = { ...who('2'), username: 'n9', fields: { name: 'Nine' }, active };
      const people = [who('1'), given, numbered('70', who('2')), ...rest];
      for (const full of [false, true]) {
        world.change(() => ({ people }));
        const ran = await world.sync({ later: 15, full });
        expect([ran.exitCode, ran.changing]).toEqual([3, []]);
        expect(ran.plan?.held).toMatchObject([{ guard: 'usernameReuse', count: active ? 1 : 2 }]);
      }
      expect(world.employee('l2')).toMatchObject({ name: 'Name 2', locked: false });
    },
  );

  test('by the username that the source had, and not by that of the account, is asked about', async () => {
    const world = await loadedWorld(COMPANY);
    const kept = { ...who('1'), username: 'n1' };
    const others = [who('2'), ...rest];
    expect((await world.syncAfter(() => ({ people: [kept, ...others] }), { later: 15 })).exitCode).toBe(0);
    for (let run = 0; run < 3; run += 1) {
      world.change(() => ({ people: [numbered('10', kept), ...others] }));
      const ran = await world.sync({ later: 15 });
      expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    }
    const inside = (await world.sync({ later: 15 })).inside;
    expect(inside).toEqual([
      expect.stringContaining('1: missing in the source, and source id 10 has the username'),
    ]);
  });
});

describe('a namesake by marriage, whose login is that of a colleague', () => {
  const ANNA = { username: 'l2', fields: { name: 'Name 2', mobile: '+4930123456' } };
  const married = person('1', { ...ANNA, positions: [at('b')] });
  const rest = IDS.slice(2).map((id) => who(id));

  test.each([['unchanged', who('2')]])(
    'who is there %s: is asked about once, then both go on, and the colleague can leave',
    async (_, two) => {
      const world = await loadedWorld(COMPANY);
      const asked = await world.syncAfter(() => ({ people: [married, two, ...rest] }), { later: 15 });
      expect([asked.exitCode, world.employee('l1').name]).toEqual([3, 'Name 1']);
      const hash = asked.plan?.held[0]?.hash ?? '';
      expect((await world.sync({ approve: [hash] })).exitCode).toBe(0);
      expect(world.employee('l1').name).toBe('Name 2');
      expect((await world.sync()).plan?.kept).toContainEqual(
        expect.objectContaining({ id: '1', label: 'l1', inSource: 'l2' }),
      );
      world.change(() => ({ people: [married, ...rest] }));
      for (let run = 0; run < 3; run += 1) expect((await world.sync({ later: 15 })).exitCode).toBe(0);
      expect([world.employee('l1').locked, world.employee('l2').locked]).toEqual([false, true]);
    },
  );

  test('who leaves in the same read by a record that says so: leaves, while the other is asked about', async () => {
    const world = await loadedWorld(COMPANY);
    const people = [married, { ...who('2'), active: false }, ...rest];
    expect((await world.syncAfter(() => ({ people }), { later: 15 })).exitCode).toBe(3);
    expect([world.employee('l1').name, world.employee('l2').locked]).toEqual(['Name 1', true]);
  });

  test('of the same name, whose id goes to the one who stays: nobody is locked, nobody is changed', async () => {
    const twins = IDS.map((id) => ({ ...who(id), fields: { name: 'Wang Mei' } }));
    const world = await loadedWorld({ units: UNITS, people: twins });
    const before = accounts(world);
    world.change(() => ({ people: [numbered('1', twins[1]!), ...twins.slice(2)] }));
    for (let run = 0; run < 3; run += 1) {
      const ran = await world.sync({ later: 15 });
      expect([ran.exitCode, accounts(world)]).toEqual([3, before]);
    }
  });
});
