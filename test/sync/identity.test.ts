import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { codesOf } from './said.ts';
import {
  at,
  having,
  inactive,
  loadedWorld,
  ofPeople,
  person,
  refusal,
  SMALL,
  unit,
  without,
  type Edit,
  type World,
} from './world.ts';

const [ONE, TWO, THREE] = SMALL.people;
const OTHERS = [ONE, TWO];
const BOB = having(person('3', { username: 'bob', fields: { name: 'Bob Newman' } }));
const numbered = (id: string, one: Person): Person => ({ ...one, id });
const wants = (username: string, name: string, ...more: readonly Person[]): Edit =>
  ofPeople(...OTHERS, ...more, person('9', { username, fields: { name } }));

type Before = (world: World) => Promise<unknown>;
/** Person 3 has left, and rollcall has disabled the account. */
const leaves: Before = async (world) => {
  for (let read = 1; read <= 3; read += 1) await world.sync({ change: without('3'), later: 60 });
  expect(world.employee('l3').locked).toBe(true);
};
const goes: Before = (world) => world.sync({ change: without('3') });
const saysLeft: Before = (world) => world.sync({ change: inactive('3') });
const loses: Before = async (world) => {
  await leaves(world);
  world.sandbox.edit.removeEmployee('l3');
  await world.sync({ full: true });
};
const calls: Before = (world) => world.sync({ change: having({ ...THREE, username: 'n3' }), later: 15 });

const REMOVES: Partial<SyncSettings> = { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } };
const HOLDS: Partial<SyncSettings> = { guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } };
const STAY = 'l1 Name 1 u1[primary], l2 Name 2 u2[primary]';
const AS_BOB = `${STAY}, l3 Bob Newman u1[primary]`;

interface Contest {
  readonly sync?: Partial<SyncSettings>;
  readonly before?: Before;
  readonly change: Edit;
  /** Ids of those who are asked about. */
  readonly asked: string;
  /** Who is there once that is approved. */
  readonly approved?: string;
}

/** An id, a username and a name that do not belong together as they did. */
const CONTESTS: Readonly<Record<string, Contest>> = {
  'a new id has the username of somebody who is missing, in whatever case': {
    change: wants('L3', 'Else'),
    asked: '9',
    approved: `${STAY}, l3 Else u1[primary]`,
  },
  'a new id has the username of a leaver whom we disabled': {
    before: leaves,
    change: wants('l3', 'Wed'),
    asked: '9',
    approved: `${STAY}, l3 Wed u1[primary]`,
  },
  'a new id has the username of a leaver whose row stays': {
    before: saysLeft,
    change: wants('l3', 'Back', { ...THREE, active: false }),
    asked: '9',
    approved: `${STAY}, l3 Back u1[primary]`,
  },
  'a new id has the username of somebody whom we removed': {
    sync: REMOVES,
    before: goes,
    change: wants('l3', 'Name 9'),
    asked: '9',
    approved: `${STAY}, l3 Name 9 u1[primary]`,
  },
  'a new id has the username that the source had for somebody, and not the account': {
    before: calls,
    change: ofPeople(...OTHERS, numbered('9', { ...THREE, username: 'n3' })),
    asked: '9',
  },
  'a new id wants an account whose own record is another one now': {
    change: ofPeople(ONE, { ...TWO, username: 'n9', fields: { name: 'Nine' } }, THREE, numbered('70', TWO)),
    asked: '2',
  },
  'the id of a leaver comes back with another username and another name': {
    before: leaves,
    change: BOB,
    asked: '3',
    approved: AS_BOB,
  },
  'so does the id of a leaver who is held': { sync: HOLDS, before: saysLeft, change: BOB, asked: '3' },
  'so does the id of a leaver whose account others removed': { before: loses, change: BOB, asked: '3' },
  'so does the id of somebody whose account we removed': {
    sync: REMOVES,
    before: goes,
    change: BOB,
    asked: '3',
    approved: `bob Bob Newman u1[primary], ${STAY}`,
  },
  'two people swap ids': { change: ofPeople(numbered('1', TWO), numbered('2', ONE), THREE), asked: '1, 2' },
  'all ids go round, and one of them is called otherwise and has left': {
    change: ofPeople(
      numbered('1', { ...TWO, active: false, fields: { name: 'Wed' } }),
      numbered('2', THREE),
      numbered('3', ONE),
    ),
    asked: '1, 2, 3',
  },
  'a colleague has the login of a leaver, and another name as well': {
    change: ofPeople(person('2', { username: 'l1', fields: { name: 'Else' } }), THREE),
    asked: '2',
  },
  'a namesake by marriage has the login of a colleague': {
    change: having(person('1', { username: 'l2', fields: { name: 'Name 2' } })),
    asked: '1',
    approved: 'l1 Name 2 u1[primary], l2 Name 2 u2[primary], l3 Name 3 u1[primary]',
  },
};

describe('if it is unclear whose an account is, it is asked', () => {
  test.each(Object.entries(CONTESTS))('%s', async (_, { change, asked, sync = {}, before, approved }) => {
    const world = await loadedWorld({ sync });
    await before?.(world);
    const state = world.state();
    const held = `usernameReuse ${asked.split(', ').length}/0`;
    const ran = await world.runs({ change, later: 60 }, { exit: 3, sent: '', held });
    const rows = ran.rows.filter(({ isHeld }) => isHeld).map(({ change: one }) => one.id);
    expect([rows.join(', '), world.state()]).toEqual([asked, state]);
    if (approved === undefined) return;
    await world.run({ approve: ran });
    expect(world.state().people.join(', ')).toBe(approved);
    await world.isSilent();
  });

  test('with all that follows, before and after; another value asks again', async () => {
    const world = await loadedWorld();
    const claim = (name: string) =>
      ofPeople(
        ...OTHERS,
        person('9', { username: 'l3', fields: { name }, positions: [at('u1', { job_title: 'Boss' })] }),
      );
    const ran = await world.run(claim('Somebody Else'), { exit: 3, planned: 'adopt 9' });
    expect(ran.changes[0]?.fields).toMatchObject([
      { field: 'id', from: '3', to: '9' },
      { field: 'name', from: 'Name 3', to: 'Somebody Else' },
      { field: 'positions', to: ['u1 job_title=Boss primary'] },
    ]);
    const other = await world.run(claim('Another One'), { exit: 3 });
    expect(other.plan?.held[0]?.hash).not.toBe(ran.plan?.held[0]?.hash);
  });

  test('who is inactive by the own record leaves meanwhile', async () => {
    const world = await loadedWorld();
    const change = having(person('1', { username: 'l2', fields: { name: 'Name 2' } }), {
      ...TWO,
      active: false,
    });
    await world.run({ change, later: 15 }, { exit: 3, sent: 'disableEmployee' });
    expect([world.employee('l1').name, world.employee('l2').locked]).toEqual(['Name 1', true]);
  });

  test.each<readonly [string, MemoryWorld['people']]>([
    ['two records of one id', ['u1', 'u2'].map((id) => person('9', { username: 'L3', positions: [at(id)] }))],
    ['a record without name', [{ ...refusal('person', '9', 'name'), label: 'L3', active: true }]],
    ['one that says "left"', [{ ...refusal('person', '9', 'name'), label: 'l3', active: false }]],
  ])('where the other record cannot be used (%s), the leaver is named and stays', async (_, bad) => {
    const world = await loadedWorld({ sync: REMOVES });
    world.change(ofPeople(...OTHERS, ...bad));
    for (const full of [false, false, true]) {
      const ran = await world.run({ later: 15, full }, { exit: 4, sent: '' });
      expect(codesOf(ran)).toContain('3 claimedUnusably');
    }
  });
});

describe('nothing is asked', () => {
  test('if the id of a leaver comes back with another spelling alone', async () => {
    const world = await loadedWorld();
    await leaves(world);
    const parts = { username: 'L3', fields: { name: 'name 3' }, positions: [at('u2')] };
    await world.run(having(person('3', parts)));
    await world.rests();
  });

  test('if a colleague has the login of a leaver in whatever case: the leaver leaves', async () => {
    const world = await loadedWorld();
    world.change(ofPeople({ ...TWO, username: 'L1' }, THREE));
    for (let read = 1; read <= 3; read += 1) await world.run({ later: 15 });
    await world.rests();
  });
});

describe('a directory that was rebuilt, with other ids for the same units and people', () => {
  const COMPANY = {
    units: [
      unit('u1', null, { name: 'Sales' }),
      unit('u2', 'u1', { name: 'Tax' }),
      unit('u3', 'u1', { name: 'Law' }),
    ],
    people: [
      person('1'),
      person('2', { positions: [at('u2')] }),
      person('3', { positions: [at('u2'), at('u3', { primary: true })] }),
      person('4', { positions: [at('u3')] }),
    ],
  };
  const other = (id: string | null) => (id === null ? null : `${id}-new`);
  const units = COMPANY.units.map((one) => unit(`${one.id}-new`, other(one.parent), one.fields));
  const people = COMPANY.people.map((one) => ({
    ...one,
    positions: one.positions.map((position) => ({ ...position, unit: other(position.unit) })),
  }));
  const ALL = { units, people: people.map((one) => ({ ...one, id: `${one.id}-new` })) };
  /** What employees see of the service: serial numbers are known to administrators alone. */
  const visible = (world: World): string => JSON.stringify(world.state()).replaceAll('-new', '');
  const opened = (sync: Partial<SyncSettings> = { guard: SYNC.guard }) => loadedWorld({ ...COMPANY, sync });

  test('is one hold with one hash, and nothing of it is visible before', async () => {
    const world = await opened();
    const before = visible(world);
    const held = await world.run(() => ALL, { exit: 3, held: 'usernameReuse 4/0' });
    expect(visible(world)).toBe(before);
    // Their units have other ids: they are written again, as they are.
    await world.run({ approve: held }, { sent: 'importEmployees' });
    await world.isSilent();
    expect(visible(world)).toBe(before);
  });

  test('is approved for one record alone where only that is sent: the others are asked about anew', async () => {
    const world = await opened();
    const held = await world.run(() => ALL, { exit: 3 });
    const only = { subject: 'person', id: '3-new' } as const;
    await world.run({ approve: held, only }, { done: 'adopt 3-new, update 3-new' });
    const next = await world.run({}, { exit: 3, held: 'usernameReuse 3/0' });
    expect(next.plan?.held[0]?.hash).not.toBe(held.plan?.held[0]?.hash);
  });

  test('names who has left in it before anybody approves, and says that they would be disabled', async () => {
    const world = await opened();
    world.change(() => ALL);
    const held = await world.run(inactive('4-new'), { exit: 3, inside: '4-new held' });
    const active = held.changes.flatMap(({ fields }) => fields.filter(({ field }) => field === 'active'));
    expect(active).toEqual([{ field: 'active', from: true, to: false }]);
    await world.run({ approve: held }, { sent: 'disableEmployee, importEmployees', inside: '' });
  });

  test('of whom the units alone have other ids goes on without a question: nobody moves', async () => {
    const world = await opened();
    const [before, node] = [visible(world), world.organization('u2').id];
    const planned = 'update 1, update 2, update 3, update 4, adopt u1-new, adopt u2-new, adopt u3-new';
    const ran = await world.run(() => ({ units, people }), {
      planned,
      sent: 'modifyOrganization*3, importEmployees',
    });
    expect(ran.changes.find(({ kind }) => kind === 'adopt')).toMatchObject({
      why: { code: 'there' },
      guard: null,
      fields: [{ field: 'serial_no', from: 'u1', to: 'u1-new' }],
    });
    expect([visible(world), world.organization('u2-new').id]).toEqual([before, node]);
    await world.rests();
  });

  test('waits where one that vanished is protected, which is named', async () => {
    const world = await opened({ protect: { usernames: [], units: ['u1'] } });
    const before = visible(world);
    const ran = await world.run(() => ({ units, people }), { exit: 4 });
    expect([codesOf(ran).includes('u1 protectedUnit'), visible(world)]).toEqual([true, before]);
    world.configure({ protect: { usernames: [], units: ['u1-new'] } });
    await world.run({});
    await world.rests();
  });
});

describe('identity is the source id', () => {
  test('a joiner joins in a unit that is as new, and a renamed unit keeps its node', async () => {
    const world = await loadedWorld();
    const ids = () =>
      [...world.sandbox.state.employees(), world.organization('u1')].map(({ id }) => id).slice(-4);
    const before = ids();
    world.change(({ units }) => ({ units: [...units, unit('u3', 'u2')] }));
    world.change(having(person('4', { positions: [at('u3')] })));
    const foreseen = await world.plan();
    const ran = await world.run(
      {},
      { planned: 'create 4, create u3', sent: 'importOrganizations, importEmployees' },
    );
    expect(foreseen.plan).toEqual(ran.plan);
    const renamed: Edit = ({ units }) => ({
      units: [unit('u1', null, { name: 'New/Name' }), ...units.slice(1)],
    });
    await world.run(renamed, { planned: 'update u1', sent: 'modifyOrganization' });
    expect(ids().at(-1)).toBe(before.at(-1));
    await world.rests();
  });

  test('identifiers beyond 2^53 keep their digits everywhere', async () => {
    const [big, id, username] = ['9223372036854775807', '9007199254740993', '9007199254740995'];
    const one = person(id, { username, positions: [at(big)] });
    const world = await loadedWorld({ units: [unit(big)], people: [one] });
    expect(Number.isSafeInteger(Number(world.organization(big).id))).toBe(false);
    const ran = await world.run(having({ ...one, fields: { ...one.fields, sort_order: id }, active: false }));
    const path = ran.calls.find(({ operation }) => operation === 'disableEmployee')?.path;
    expect(path).toContain(`/${world.employee(username).id}/disable`);
    await world.rests();
  });

  test('names are kept as they are, whatever they hold, and parents come first', async () => {
    const names = {
      top: 'A/B "quoted" \\ <x>; a=b',
      emoji: '🚀 研发部',
      long: 'é'.repeat(255),
      case1: 'Sales',
      case2: 'SALES',
      slash: 'Sales/SALES',
    };
    const parents: Readonly<Record<string, string>> = { long: 'emoji', top: '' };
    const world = await loadedWorld({
      units: Object.entries(names).map(([key, name]) => unit(key, (parents[key] ?? 'top') || null, { name })),
      people: [
        person('1', { positions: [at('long')], fields: { name: 'O’Brien "Bob" / 林' } }),
        person('2', { positions: [at('case1'), at('case2', { primary: true, chief: true })] }),
        person('3', { username: 'a.b+c@x', positions: [at(null)] }),
      ],
    });
    await world.rests();
  });
});
