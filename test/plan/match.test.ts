import { describe, expect, test } from 'vitest';

import type { PersonRow, UsernameOwner } from '../../src/domain/ports/ledger/person-row.ts';
import { FORGOTTEN } from '../../src/domain/records/account-named.ts';
import { match } from '../../src/plan/people/match.ts';
import { decidePerson } from '../../src/plan/people/reconcile.ts';
import { at, employee, entry, row, rules, staged } from './build.ts';

const named = (name: string) => ({
  fields: { name },
  positions: [at('sales', { job_title: 'Clerk', primary: true })],
});
const bob = entry({ id: '8', username: 'bob', employeeId: '901', sent: named('Bob') });

/** Bob, who is known under another id and has the username of the record. */
const owner = (options: Partial<UsernameOwner> = {}): UsernameOwner => ({
  id: '8',
  entry: bob,
  isHere: 'no',
  ...options,
});

const switched = (from: boolean) => ({ field: 'active', from, to: !from });

const matched = (options: Partial<PersonRow>) => match(row(options));
const decided = (options: Partial<PersonRow>) => decidePerson(row(options), rules());

/** A record of Ann's id with these. */
const record = (username: string, name: string, active = true) =>
  staged({ username, active, payload: named(name) });

describe('a known account', () => {
  test('is the one with its own id; another one under its username is as that of somebody unknown', () => {
    const other = employee({ id: '999' });
    expect(matched({ employee: other })).toMatchObject({
      facts: { known: { is: 'gone' }, actual: { is: 'active' } },
    });
    expect(decided({ employee: other, record: staged({ active: false }) })).toMatchObject({
      change: { kind: 'disable', guard: 'adopted', employeeId: '999' },
    });
    expect(decided({ employee: other, record: null })).toMatchObject({
      change: { kind: 'forget', guard: 'gone' },
    });
  });

  test('that is gone is made again under the username that the source has', () => {
    const decision = decided({ employee: null, record: record('anna', 'Ann') });
    expect(decision).toMatchObject({ change: { kind: 'create', guard: 'gone', username: 'anna' } });
  });

  test('that is gone waits where the source has the username of another known person by now', () => {
    for (const name of ['Ann', 'Anna Married'])
      for (const isHere of ['yes', 'left', 'no'] as const) {
        const gone = { employee: null, record: record('bob', name), owner: owner({ isHere }) };
        expect(matched(gone)).toMatchObject({ is: 'waits' });
      }
    const unchanged = {
      employee: null,
      record: 'unchanged',
      entry: entry({ usernameInSource: 'bob' }),
    } as const;
    expect(decided(unchanged)).toMatchObject({ change: { kind: 'create', username: 'ann' } });
  });
});

describe('an unknown id with the username of a known person', () => {
  const joins = { entry: null, employee: null, record: record('bob', 'Bob') };

  test('is asked about where that person is missing or has left, with both ids', () => {
    const decision = decided({ ...joins, owner: owner() });
    expect(decision).toMatchObject({ change: { kind: 'adopt', guard: 'usernameReuse', claims: '8' } });
    expect(matched({ ...joins, owner: owner({ isHere: 'left' }) })).toMatchObject({ is: 'same' });
    expect(matched({ ...joins, owner: { id: FORGOTTEN, entry: null, isHere: 'no' } })).toMatchObject({
      is: 'same',
    });
  });

  test('waits where that person is there, and is nothing where it has left itself', () => {
    const reason = {
      code: 'takenBy',
      refs: [{ subject: 'person', id: '8' }],
      values: { username: 'bob', name: 'Bob' },
    };
    expect(matched({ ...joins, owner: owner({ isHere: 'yes' }) })).toEqual({ is: 'waits', reason });
    const left = { ...joins, record: record('bob', 'Bob', false) };
    expect(matched({ ...left, owner: owner({ isHere: 'left' }) })).toEqual({ is: 'nothing' });
    expect(matched({ ...left, owner: { id: FORGOTTEN, entry: null, isHere: 'no' } })).toEqual({
      is: 'nothing',
    });
  });

  test('says, of somebody forgotten, whether an account is made or written over', () => {
    const forgotten = { ...joins, owner: { id: FORGOTTEN, entry: null, isHere: 'no' } } as const;
    const name = { field: 'name', from: null, to: 'Bob' };
    expect(decided(forgotten)).toMatchObject({
      change: { fields: [{ field: 'id' }, name, { field: 'active', from: null, to: true }] },
    });
    const there = decided({ ...forgotten, employee: employee({ username: 'bob' }) });
    expect(there.is === 'change' && there.change.fields).toContainEqual({ ...name, from: 'Ann' });
  });

  test('says what becomes of the account: enabled, disabled', () => {
    const leaving = decided({ ...joins, owner: owner({ isHere: 'left' }) });
    expect(leaving).toMatchObject({ change: { fields: [{ field: 'id' }, switched(false)] } });
    const disabled = owner({ entry: { ...bob, state: 'disabled' } });
    expect(decided({ ...joins, owner: disabled })).toMatchObject({
      change: { fields: [{ field: 'id' }, switched(false)] },
    });
    const left = { ...joins, record: record('bob', 'Bob', false) };
    expect(decided({ ...left, owner: owner() })).toMatchObject({
      change: { fields: [{ field: 'id' }, switched(true)] },
    });
  });
});

describe('the record of a known id', () => {
  test.each([
    ['a colleague’s username and another name', record('bob', 'Cleo'), 'contested'],
    ['a colleague’s username and name', record('bob', 'Bob'), 'contested'],
    ['the same, and says "left"', record('bob', 'Bob', false), 'contested'],
    ['a colleague’s username and the own name', record('bob', 'Ann'), 'facts'],
  ])('with %s', (_, own, is) => {
    for (const isHere of ['yes', 'left', 'no'] as const)
      expect(matched({ record: own, owner: owner({ isHere }) }).is).toBe(is);
  });

  test('with the username and the name of a namesake is asked about: the names tell nothing', () => {
    const namesake = owner({ entry: { ...bob, sent: named('Ann') } });
    expect(matched({ record: record('bob', 'Ann'), owner: namesake }).is).toBe('contested');
  });

  test('with a username that the source had for the person before says nothing new', () => {
    const known = entry({ usernameInSource: 'bob' });
    expect(matched({ record: record('bob', 'Cleo'), entry: known, owner: owner() }).is).toBe('facts');
  });

  test('that cannot be used, says "left" and has a colleague’s username is asked about', () => {
    const left = { record: 'left', inSource: 'bob', owner: owner() } as const;
    expect(decided(left)).toMatchObject({ change: { kind: 'disable', guard: 'usernameReuse', claims: '8' } });
    expect(matched({ ...left, employee: employee({ locked: true }) }).is).toBe('nothing');
  });

  test('is asked about with all that it would change, the username first', () => {
    const decision = decided({ record: record('bob', 'Cleo'), owner: owner() });
    expect(decision).toMatchObject({
      change: {
        kind: 'update',
        guard: 'usernameReuse',
        username: 'ann',
        fields: [{ field: 'username', from: 'ann', to: 'bob' }, { field: 'name' }],
      },
    });
  });
});

describe('the record of a known id whose username another record has now', () => {
  const claims = [{ id: '70', username: 'ann', name: 'Ann', isUsable: true, entry: null }];

  test('is asked about if it has another username and another name itself: the account may be that one’s', () => {
    const asked = matched({ record: record('new', 'Nine'), claims });
    expect(asked).toMatchObject({
      is: 'contested',
      other: '70',
      why: expect.objectContaining({ code: 'nameClaimed' }) as object,
    });
    expect(matched({ record: record('new', 'Nine', false), claims }).is).toBe('contested');
    expect(matched({ record: record('new', 'Ann'), claims }).is).toBe('facts');
    const isBobs = { id: '8', username: 'ann', name: 'Bob', isUsable: true, entry: bob };
    expect(matched({ record: record('new', 'Nine'), claims: [isBobs] }).is).toBe('facts');
  });
});

test('reads without somebody count while it is unclear whose the account is', () => {
  const gone = { record: null, entry: entry({ misses: 0 }) };
  expect(decided({ ...gone, unclear: 'refused' })).toMatchObject({ is: 'blocked', misses: 1 });
  const claims = [{ id: '70', username: 'ann', name: 'Ann', isUsable: true, entry: null }];
  expect(decided({ ...gone, claims })).toEqual({ is: 'miss', misses: 1 });
  expect(decided({ ...gone, entry: null, unclear: 'refused' })).toEqual({
    is: 'blocked',
    reason: { code: 'words', values: { words: 'refused' } },
  });
});

describe('the id of somebody who had left', () => {
  const back = record('cleo', 'Cleo');
  const left = {
    disabled: entry({ state: 'disabled' }),
    missed: entry({ misses: 1 }),
    removed: entry({ state: 'removed' }),
  };

  test.each(Object.entries(left))(
    '(%s) with another username and another name is asked about',
    (_, known) => {
      expect(matched({ record: back, entry: known }).is).toBe('contested');
      expect(matched({ record: record('cleo', 'Ann'), entry: known }).is).toBe('facts');
      expect(matched({ record: record('ann', 'Cleo'), entry: known }).is).toBe('facts');
    },
  );

  test('is no matter of a lock: the reason is the id, also where others have locked the account', () => {
    const locked = decided({ record: back, entry: left.missed, employee: employee({ locked: true }) });
    expect(locked).toMatchObject({ is: 'blocked', reason: { code: 'backAsAnother' } });
  });

  test('counts as such after any complete read that said so, whatever became of the account', () => {
    expect(matched({ record: back, hasSaidLeft: true }).is).toBe('contested');
    expect(matched({ record: back }).is).toBe('facts');
  });
});

describe('a missing person', () => {
  const missing = { record: null, entry: entry({ misses: 1, missedAt: 0 }) };

  test('whose username an unknown id has now is kept, and listed where that record cannot ask', () => {
    const claims = [{ id: '9', username: 'ann', name: 'Cleo', isUsable: false, entry: null }];
    expect(matched({ ...missing, claims: [{ ...claims[0]!, isUsable: true }] })).toMatchObject({
      is: 'nothing',
      missing: { id: '7' },
    });
    expect(matched({ ...missing, claims })).toMatchObject({
      is: 'waits',
      reason: expect.objectContaining({ code: 'claimedUnusably' }) as object,
    });
    expect(matched({ ...missing, claims, employee: employee({ locked: true }) }).is).toBe('nothing');
  });

  test('whose username a known colleague has now leaves, unless that record may be theirs', () => {
    const isBob = { id: '8', username: 'ann', name: 'Bob', isUsable: false, entry: bob };
    expect(matched({ ...missing, claims: [isBob] }).is).toBe('facts');
    for (const isUsable of [true, false])
      expect(matched({ ...missing, claims: [{ ...isBob, name: 'Ann', isUsable }] }).is).toBe('waits');
  });
});
