import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { Person } from '../../src/domain/records/records.ts';
import { at, loadedWorld, openWorld, person, refusal, unit, type Ran } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u2')],
  people: [
    person('1'),
    person('2', { positions: [at('u2')] }),
    person('3', { positions: [at('u3')] }),
    person('4'),
  ],
} as const satisfies MemoryWorld;

type Records = MemoryWorld['people'][number];
const swap = (id: string, ...next: readonly Records[]) =>
  COMPANY.people.flatMap((one): readonly Records[] => (one.id === id ? next : [one]));

/** What is bad, and what is listed besides. */
const CASES: readonly (readonly [string, Partial<MemoryWorld>, RegExp])[] = [
  [
    'two records with one id',
    { people: swap('1', person('1'), person('1', { username: 'twin' })) },
    /^1: .*several records share this id/mu,
  ],
  [
    'a username in another case',
    { people: swap('1', person('1'), person('9', { username: 'L1' })) },
    /^1: .*share the username l1[^]*^9: .*share the username L1|^9: the account L1 is that of Name 1:/mu,
  ],
  ['no username', { people: swap('1', refusal('person', '1', 'username')) }, /^1: username/mu],
  [
    'a person whose id cannot be read, known by the username in another case',
    { people: swap('1', { ...refusal('person', null, 'id'), label: 'L1' }) },
    /^(?:1|L1): id: cannot be used/mu,
  ],
  [
    'an unknown unit',
    { people: swap('1', person('1', { positions: [at('nowhere')] })) },
    /^1: unit "nowhere" is unknown/mu,
  ],
  ['no position at all', { people: swap('1', person('1', { positions: [] })) }, /^1: has no unit/mu],
  [
    'active that cannot be told',
    { people: swap('1', person('1', { active: null })) },
    /^1: the rule for active/mu,
  ],
  [
    'units in a circle, with the unit and the person below them',
    { units: [unit('u1'), unit('u2', 'u3'), unit('u3', 'u2')] },
    /^u2: .*its own ancestor[^]*^u3: .*its own ancestor/mu,
  ],
  [
    'an unknown parent',
    { units: [unit('u1'), unit('u2', 'nowhere'), unit('u3', 'u2')] },
    /^u2: its parent "nowhere"[^]*^u3: /mu,
  ],
  [
    'a unit that cannot be mapped',
    { units: [unit('u1'), refusal('unit', 'u2', 'sort_order'), unit('u3', 'u2')] },
    /^u2: sort_order[^]*^u3: /mu,
  ],
  [
    'a unit whose id cannot be read, known by its name',
    { units: [unit('u1'), { ...refusal('unit', null, 'id'), label: 'Unit u2' }, unit('u3', 'u2')] },
    /^Unit u2: id: [^]*^u3: its parent "u2"/mu,
  ],
  [
    'two units with one id',
    { units: [unit('u1'), unit('u2', 'u1'), unit('u2', 'u1', { name: 'Other' }), unit('u3', 'u2')] },
    /^u2: several units share this id/mu,
  ],
];

function expectPartial(ran: Ran, listed: RegExp): void {
  expect(ran.exitCode).toBe(4);
  expect(ran.listed.join('\n')).toMatch(listed);
  expect(ran.lines.at(-1)?.fields).toMatchObject({ result: 'partial' });
}

describe('one bad record stops only itself', () => {
  test.each(CASES)('%s: left as it is, run after run, and the rest goes on', async (_, bad, listed) => {
    const world = await loadedWorld(COMPANY);
    const before = world.state();
    world.change(() => bad);
    for (const full of [false, false, true, false]) {
      const ran = await world.sync({ later: 11, full });
      expect(ran.changing).toEqual([]);
      expectPartial(ran, listed);
    }
    expect(world.state()).toEqual(before);
    world.change(() => ({
      ...bad,
      people: (bad.people ?? COMPANY.people).map((one) =>
        one.id === '4' && 'username' in one ? person('4', { fields: { name: 'Goes on' } }) : one,
      ),
    }));
    expect((await world.sync()).planned).toEqual(['update person 4']);
    world.change(() => ({ ...COMPANY, people: swap('4', person('4', { fields: { name: 'Goes on' } })) }));
    const healed = await world.sync();
    expect([healed.exitCode, healed.changing, healed.listed]).toEqual([0, [], []]);
  });

  test.each(CASES)('%s: never created, and neither is what hangs below it', async (_, bad, listed) => {
    const world = await openWorld({ ...COMPANY, ...bad });
    const ran = await world.sync();
    expectPartial(ran, listed);
    const usernames = world.sandbox.state.employees().map(({ username }) => username);
    expect(usernames).toContain('l4');
    expect((await world.sync()).changing).toEqual([]);
    expect((await world.syncAfter(() => COMPANY)).exitCode).toBe(0);
    expect(world.state().people).toEqual([
      'l1 Name 1 u1[primary]',
      'l2 Name 2 u2[primary]',
      'l3 Name 3 u3[primary]',
      'l4 Name 4 u1[primary]',
    ]);
  });

  test.each<[string, Partial<Person>]>([
    ['the same twice', {}],
    ['the same twice with a secret', { secrets: { password: 'Secret-1' } }],
    [
      'the same twice with a value that cannot be read',
      { losses: [{ field: 'mobile', reason: 'no number' }] },
    ],
  ])('%s is one record, new and known', async (_, more) => {
    const world = await openWorld({ ...COMPANY, people: swap('1', person('1', more), person('1', more)) });
    expect((await world.sync()).planned).toContain('create person 1');
    for (const full of [false, true]) {
      const ran = await world.sync({ later: 11, full });
      expect([ran.planned, ran.listed.filter((line) => line.startsWith('1:')).length]).toEqual([
        [],
        more.losses === undefined ? 0 : 1,
      ]);
    }
  });

  test.each<[string, Partial<Person>, RegExp]>([
    ['a position', { positions: [at('u2')] }, /^1: .*differ only in their positions: .*source\.positions/mu],
    [
      'a name too',
      { positions: [at('u2')], fields: { name: 'X' } },
      /^1: .*several records share this id: keep/mu,
    ],
    ['a secret', { secrets: { id_card: '123' } }, /^1: .*several records share this id: keep/mu],
  ])('records of one id that differ in %s make nobody, and say what to do', async (_, more, listed) => {
    const pair = { people: swap('1', person('1'), person('1', more)) };
    const [fresh, known] = [await openWorld({ ...COMPANY, ...pair }), await loadedWorld(COMPANY)];
    for (const ran of [await fresh.sync(), await known.syncAfter(() => pair)])
      expect([ran.exitCode, ran.listed.join('\n')]).toEqual([4, expect.stringMatching(listed)]);
  });
});
