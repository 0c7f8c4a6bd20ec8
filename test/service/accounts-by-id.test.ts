import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import { answers, worlds, type Answer, type Seen } from './odd-server.ts';

const { ok, no } = answers;
const { signal } = new AbortController();
const world = worlds();

interface Account {
  readonly id: string;
  readonly user_id: string;
  readonly username: string;
  readonly locked?: boolean;
}

const account = (n: number, more: Partial<Account> = {}): Account => ({
  id: `1${n}`,
  user_id: `9${n}`,
  username: `user${n}`,
  ...more,
});
const known = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `1${n}`, username: `user${n}` }));
const NONE = no(202_012, 'no matching employee');

const busyWith12: Answer = (response, seen) =>
  (seen.path.endsWith('/12') ? no(990_429, 'too many requests') : NONE)(response, seen);

type Meaning = 'employees' | 'users' | 'refused';

/** A service whose list takes ids as `meaning` says, and leaves out who is locked. */
const holding =
  (accounts: readonly Account[], meaning: Meaning, one?: Answer): Answer =>
  (response, seen) => {
    const { path, query } = seen;
    if (!path.endsWith('/employees')) {
      const own = accounts.find(({ id }) => path.endsWith(`/${id}`));
      if (own === undefined) return (one ?? NONE)(response, seen);
      const { id, username, locked = false } = own;
      return ok({ employee_id: { id }, user: { username }, disabled: locked, positions: [] })(response, seen);
    }
    const isByName = query.get('type') === 'username';
    if (!isByName && meaning === 'refused') return no(990_001, 'type is not taken')(response, seen);
    const key = isByName ? 'username' : meaning === 'users' ? 'user_id' : 'id';
    const asked = (query.get('query') ?? '').split(',');
    const listed = accounts.filter((each) => asked.includes(each[key]) && each.locked !== true);
    return ok(listed.map((each) => ({ ...each, positions: [] })))(response, seen);
  };

const byId = ({ path }: Seen): boolean => !path.endsWith('/employees');
const ofType = (seen: readonly Seen[], type: string): number =>
  seen.filter((one) => !byId(one) && one.query.get('type') === type).length;

describe('a service whose list takes ids of employees', () => {
  test('shows many accounts for one question, whatever their usernames are now', async () => {
    const accounts = known(100).map((_, n) => account(n, n === 50 ? { username: 'married' } : {}));
    const { service, seen } = await world(holding(accounts, 'employees'));
    const { found, unclear } = await service.accountsById(known(100), signal);
    expect([found.size, found.get('150')?.username, unclear.size, seen.length]).toEqual([
      100,
      'married',
      0,
      1,
    ]);
    await service.accountsById(known(100), signal);
    expect([seen.length, ofType(seen, 'id')]).toEqual([2, 2]);
  });
});

describe.each(['users', 'refused'] as const)(
  'a service whose list has no ids of employees (%s)',
  (meaning) => {
    test('shows accounts by their usernames, and the others one by one; that is found out once', async () => {
      const accounts = known(10).map((_, n) => account(n, n === 5 ? { username: 'married' } : {}));
      const { service, seen } = await world(holding(accounts, meaning));
      const first = await service.accountsById(known(10), signal);
      expect([first.found.size, first.found.get('15')?.username, first.unclear.size]).toEqual([
        10,
        'married',
        0,
      ]);
      expect(seen.filter(byId)).toHaveLength(1);
      // The list has shown the record of the renamed account under its new username.
      expect(first.found.get('15')?.isUnlisted).toBeUndefined();
      const before = ofType(seen, 'id');
      await service.accountsById(known(10), signal);
      expect(ofType(seen, 'id')).toBe(before);
    });
  },
);

describe('an account that the list does not show', () => {
  test('is there if its own record is, which is marked as such; gone only by the word for an unknown id', async () => {
    const { service } = await world(holding([account(0), account(1, { locked: true })], 'employees'));
    const { found, unclear } = await service.accountsById(known(3), signal);
    expect([...found.keys(), ...unclear.keys()]).toEqual(['10', '11']);
    expect(found.get('11')).toMatchObject({ username: 'user1', locked: true, isUnlisted: true });
  });

  test('is unclear if the service refuses to tell, never gone', async () => {
    const { service } = await world(holding([account(0)], 'employees', busyWith12));
    const { found, unclear } = await service.accountsById(known(4), signal);
    expect([[...found.keys()], [...unclear.keys()]]).toEqual([['10'], ['12']]);
    expect(unclear.get('12')).toContain('990429');
  });

  test('ends the search if its record and many others cannot be read', async () => {
    const { service } = await world(holding([account(0)], 'employees', answers.html()));
    await expect(service.accountsById(known(20), signal)).rejects.toThrow(ServiceError);
  });
});
