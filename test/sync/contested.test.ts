import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, refusal, SMALL, without, type Ran, type World } from './world.ts';

const [ONE, TWO, THREE] = SMALL.people;
const OTHERS = [ONE, TWO];
const BOB = person('3', { username: 'bob', fields: { name: 'Bob Newman' } });
const left = (one: Person): Person => ({ ...one, active: false });

/** The person with another one's number. */
const numbered = (id: string, one: Person): Person => ({ ...one, id });

/** Person 3 has left, and rollcall has disabled the account. */
async function leaves(world: World): Promise<void> {
  for (let read = 1; read <= 3; read += 1) await world.syncAfter(without('3'), { later: 60 });
  expect(world.employee('l3').locked).toBe(true);
}

async function saysLeft(world: World): Promise<void> {
  await world.syncAfter(() => ({ people: [...OTHERS, left(THREE)] }));
}

const REMOVES: Partial<SyncSettings> = { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } };

interface Contest {
  readonly people: MemoryWorld['people'];
  /** Ids of those who are asked about. */
  readonly asked: readonly string[];
  readonly sync?: Partial<SyncSettings>;
  readonly before?: (world: World) => Promise<unknown>;
  /** Who is there once that is approved. */
  readonly approved?: readonly string[];
}

const STAY = ['l1 Name 1 u1[primary]', 'l2 Name 2 u2[primary]'];

/** An id, a username and a name that do not belong together as they did. */
const CONTESTS: readonly (readonly [string, Contest])[] = [
  [
    'a new id has the username of somebody who is missing, in whatever case',
    {
      people: [...OTHERS, person('9', { username: 'L3', fields: { name: 'Else' }, positions: [at('u2')] })],
      asked: ['9'],
      approved: [...STAY, 'l3 Else u2[primary]'],
    },
  ],
  [
    'a new id has the username of a leaver whom we disabled',
    {
      before: leaves,
      people: [...OTHERS, person('9', { username: 'l3', fields: { name: 'Married' } })],
      asked: ['9'],
      approved: [...STAY, 'l3 Married u1[primary]'],
    },
  ],
  [
    'a new id has the username of a leaver whose row stays',
    {
      before: saysLeft,
      people: [...OTHERS, left(THREE), person('9', { username: 'l3', fields: { name: 'Back' } })],
      asked: ['9'],
      approved: [...STAY, 'l3 Back u1[primary]'],
    },
  ],
  [
    'a new id has the username of somebody whom we removed',
    {
      sync: REMOVES,
      before: async (world) => world.syncAfter(without('3')),
      people: [...OTHERS, person('9', { username: 'l3' })],
      asked: ['9'],
      approved: [...STAY, 'l3 Name 9 u1[primary]'],
    },
  ],
  [
    'a new id has the username that the source had for somebody, and not the account',
    {
      before: async (world) => {
        await world.syncAfter(() => ({ people: [...OTHERS, { ...THREE, username: 'n3' }] }), { later: 15 });
      },
      people: [...OTHERS, numbered('9', { ...THREE, username: 'n3' })],
      asked: ['9'],
    },
  ],
  [
    'a new id wants an account whose own record is another one now',
    {
      people: [ONE, { ...TWO, username: 'n9', fields: { name: 'Nine' } }, THREE, numbered('70', TWO)],
      asked: ['2'],
    },
  ],
  [
    'the id of a leaver comes back with another username and another name',
    {
      before: leaves,
      people: [...OTHERS, BOB],
      asked: ['3'],
      approved: [...STAY, 'l3 Bob Newman u1[primary]'],
    },
  ],
  [
    'so does an id that was missing once',
    { before: async (world) => world.syncAfter(without('3')), people: [...OTHERS, BOB], asked: ['3'] },
  ],
  [
    'so does the id of a leaver who is held',
    {
      sync: { guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } },
      before: saysLeft,
      people: [...OTHERS, BOB],
      asked: ['3'],
    },
  ],
  [
    'so does the id of a leaver who is protected',
    {
      sync: { protect: { ...SYNC.protect, usernames: ['l3'] } },
      before: saysLeft,
      people: [...OTHERS, BOB],
      asked: ['3'],
    },
  ],
  [
    'so does the id of a leaver whose account others removed',
    {
      before: async (world) => {
        await leaves(world);
        world.sandbox.edit.removeEmployee('l3');
        await world.sync({ full: true });
      },
      people: [...OTHERS, BOB],
      asked: ['3'],
    },
  ],
  [
    'so does the id of somebody whose account we removed',
    {
      sync: REMOVES,
      before: async (world) => world.syncAfter(without('3')),
      people: [...OTHERS, BOB],
      asked: ['3'],
      approved: ['bob Bob Newman u1[primary]', ...STAY],
    },
  ],
  ['two people swap ids', { people: [numbered('1', TWO), numbered('2', ONE), THREE], asked: ['1', '2'] }],
  [
    'all ids go round, and one of them is called otherwise and has left',
    {
      people: [
        numbered('1', left({ ...TWO, fields: { name: 'Married' } })),
        numbered('2', THREE),
        numbered('3', ONE),
      ],
      asked: ['1', '2', '3'],
    },
  ],
  [
    'a colleague has the login of a leaver, and another name as well',
    {
      people: [person('2', { username: 'l1', fields: { name: 'Else' }, positions: [at('u2')] }), THREE],
      asked: ['2'],
    },
  ],
  [
    'a namesake by marriage has the login of a colleague',
    {
      people: [person('1', { username: 'l2', fields: { name: 'Name 2' } }), TWO, THREE],
      asked: ['1'],
      approved: ['l1 Name 2 u1[primary]', 'l2 Name 2 u2[primary]', 'l3 Name 3 u1[primary]'],
    },
  ],
];

const askedOf = ({ plan, rows }: Ran): unknown => [
  plan?.held.map(({ guard, count }) => `${guard} ${count}`),
  rows.filter(({ isHeld }) => isHeld).map(({ change }) => change.id),
];

const claim = (name: string): readonly Person[] => [
  ...OTHERS,
  person('9', { username: 'l3', fields: { name }, positions: [at('u1', { job_title: 'Boss' })] }),
];

describe('if it is unclear whose an account is, it is asked', () => {
  test.each(CONTESTS)('%s', async (_, { people, asked, sync = {}, before, approved }) => {
    const world = await loadedWorld({ sync });
    await before?.(world);
    const state = world.state();
    world.change(() => ({ people }));
    for (const full of [false, true, false]) {
      const ran = await world.sync({ later: 60, full });
      expect([ran.exitCode, ran.changing, ...(askedOf(ran) as unknown[])]).toEqual([
        3,
        [],
        [`usernameReuse ${asked.length}`],
        asked,
      ]);
    }
    expect(world.state()).toEqual(state);
    if (approved === undefined) return;
    const { plan } = await world.plan();
    expect((await world.sync({ approve: [plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(world.state().people).toEqual(approved);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('with all that follows, before and after; another value asks again', async () => {
    const world = await loadedWorld();
    const ran = await world.syncAfter(() => ({ people: claim('Somebody Else') }));
    expect(ran.changes).toMatchObject([
      {
        kind: 'adopt',
        fields: [
          { field: 'id', from: '3', to: '9' },
          { field: 'name', from: 'Name 3', to: 'Somebody Else' },
          { field: 'positions', to: ['u1 job_title=Boss primary'] },
        ],
      },
    ]);
    const other = await world.syncAfter(() => ({ people: claim('Another One') }));
    expect(other.plan?.held[0]?.hash).not.toBe(ran.plan?.held[0]?.hash);
  });

  test('who is inactive by the own record leaves meanwhile', async () => {
    const world = await loadedWorld();
    const people = [person('1', { username: 'l2', fields: { name: 'Name 2' } }), left(TWO), THREE];
    expect((await world.syncAfter(() => ({ people }), { later: 15 })).exitCode).toBe(3);
    expect([world.employee('l1').name, world.employee('l2').locked]).toEqual(['Name 1', true]);
  });

  test.each<readonly [string, MemoryWorld['people']]>([
    ['two records of one id', ['u1', 'u2'].map((id) => person('9', { username: 'L3', positions: [at(id)] }))],
    ['a record without name', [{ ...refusal('person', '9', 'name'), label: 'L3', active: true }]],
    ['one that says "left"', [{ ...refusal('person', '9', 'name'), label: 'l3', active: false }]],
  ])('where the other record cannot be used (%s), the leaver is named and stays', async (_, bad) => {
    const world = await loadedWorld({ sync: REMOVES });
    world.change(() => ({ people: [...OTHERS, ...bad] }));
    for (const full of [false, false, true]) {
      const { exitCode, changing, listed } = await world.sync({ later: 15, full });
      expect([exitCode, changing]).toEqual([4, []]);
      expect(listed.join('\n')).toMatch(/^3: missing in the source, and source id 9 has its username/mu);
    }
  });
});

const back = (parts: Parameters<typeof person>[1]) => [...OTHERS, person('3', parts)];

describe('nothing is asked', () => {
  test.each([
    ['another name', back({ fields: { name: 'Married' } })],
    ['another username', back({ username: 'new' })],
    ['another spelling', back({ username: 'L3', fields: { name: 'name 3' }, positions: [at('u2')] })],
  ])('if the id of a leaver comes back with %s alone', async (_, people) => {
    const world = await loadedWorld();
    await leaves(world);
    expect((await world.syncAfter(() => ({ people }))).exitCode).toBe(0);
    expect(world.employee('l3').locked).toBe(false);
  });

  test.each(['l1', 'L1'])(
    'if a colleague has the login of a leaver as %s: the leaver leaves',
    async (username) => {
      const world = await loadedWorld();
      world.change(() => ({ people: [person('2', { username, positions: [at('u2')] }), THREE] }));
      for (const exitCode of [0, 0, 0]) expect((await world.sync({ later: 15 })).exitCode).toBe(exitCode);
      expect([world.employee('l1').locked, world.employee('l2').locked]).toEqual([true, false]);
    },
  );

  test('if somebody marries who has had the login of a colleague in the source for long', async () => {
    const world = await loadedWorld();
    const swapped = [{ ...ONE, username: 'l2' }, { ...TWO, username: 'l1' }, THREE] as const;
    expect((await world.syncAfter(() => ({ people: swapped }), { later: 15 })).exitCode).toBe(0);
    const married = { ...swapped[0], fields: { name: 'Married' } };
    world.change(() => ({ people: [married, ...swapped.slice(1)] }));
    expect((await world.sync({ later: 15 })).exitCode).toBe(0);
    expect(world.employee('l1').name).toBe('Married');
  });
});
