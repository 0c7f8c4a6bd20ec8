import { expect, test } from 'vitest';

import type { PersonRow, UsernameClaim, UsernameOwner } from '../../src/domain/ports/ledger/person-row.ts';
import { FORGOTTEN } from '../../src/domain/records/account-named.ts';
import { match } from '../../src/plan/people/match.ts';
import { decidePerson } from '../../src/plan/people/reconcile.ts';
import { at, employee, entry, row, rules, staged } from './build.ts';
import { tellDecision, tellMatch, told } from './tell.ts';

const named = (name: string) => ({
  fields: { name },
  positions: [at('sales', { job_title: 'Clerk', primary: true })],
});
const bob = entry({ id: '8', username: 'bob', employeeId: '901', sent: named('Bob') });

/** Bob, who is known under another id and has the username of the record. */
const owner = (
  isHere: UsernameOwner['isHere'] = 'no',
  known: UsernameOwner['entry'] = bob,
): UsernameOwner => ({
  id: '8',
  entry: known,
  isHere,
});
const forgotten: UsernameOwner = { id: FORGOTTEN, entry: null, isHere: 'no' };
const namesake = owner('no', { ...bob, sent: named('Ann') });

/** A record of Ann's id with these. */
const record = (username: string, name: string, active = true) =>
  staged({ username, active, payload: named(name) });
const left = (username: string, name: string) => record(username, name, false);

/** Another record that has the username ann. */
const claims = (more: Partial<UsernameClaim> = {}): readonly UsernameClaim[] => [
  { id: '70', username: 'ann', name: 'Ann', isUsable: true, entry: null, ...more },
];
const bobClaims = (more: Partial<UsernameClaim> = {}) =>
  claims({ id: '8', name: 'Bob', entry: bob, ...more });

const other = employee({ id: '999' });
const locked = employee({ locked: true });
const joins = { entry: null, employee: null, record: record('bob', 'Bob') };
const joinsLeft = { ...joins, record: left('bob', 'Bob') };
const saysLeft = { record: 'left', inSource: 'bob', owner: owner() } as const;
const back = record('cleo', 'Cleo');
const missing = { record: null, entry: entry({ misses: 1, missedAt: 0 }) };
const missedNow = { record: null, entry: entry({ misses: 0 }) };

const HERE = ['yes', 'left', 'no'] as const;
const each = (what: string, make: (is: UsernameOwner) => Partial<PersonRow>) =>
  Object.fromEntries(HERE.map((isHere) => [`${what}; there: ${isHere}`, make(owner(isHere))]));

const ROWS: Readonly<Record<string, Partial<PersonRow>>> = {
  'another account under the username': { employee: other },
  'another account under the username, inactive': { employee: other, record: left('ann', 'Ann') },
  'another account under the username, missing': { employee: other, record: null },
  'gone, renamed': { employee: null, record: record('anna', 'Ann') },
  ...each('gone, with the username of Bob', (is) => ({
    employee: null,
    record: record('bob', 'Ann'),
    owner: is,
  })),
  ...each('gone, with that and another name', (is) => ({
    employee: null,
    record: record('bob', 'Ann B.'),
    owner: is,
  })),
  'gone, unchanged, with a username that the source had before': {
    employee: null,
    record: 'unchanged',
    entry: entry({ usernameInSource: 'bob' }),
  },
  ...each('an unknown id with the username of Bob', (is) => ({ ...joins, owner: is })),
  ...each('the same, inactive', (is) => ({ ...joinsLeft, owner: is })),
  'an unknown id with the username of Bob, whom we disabled': {
    ...joins,
    owner: owner('no', { ...bob, state: 'disabled' }),
  },
  'an unknown id with the username of somebody forgotten': { ...joins, owner: forgotten },
  'the same, and an account is there': {
    ...joins,
    owner: forgotten,
    employee: employee({ username: 'bob' }),
  },
  'the same, inactive, without an account': { ...joinsLeft, owner: forgotten },
  ...each('a known id with the username of Bob and a third name', (is) => ({
    record: record('bob', 'Cleo'),
    owner: is,
  })),
  ...each('a known id with username and name of Bob', (is) => ({ record: record('bob', 'Bob'), owner: is })),
  ...each('the same, inactive ', (is) => ({ record: left('bob', 'Bob'), owner: is })),
  ...each('a known id with the username of Bob and the own name', (is) => ({
    record: record('bob', 'Ann'),
    owner: is,
  })),
  'a known id with the username of a namesake': { record: record('bob', 'Ann'), owner: namesake },
  'a known id with a username that the source had before': {
    record: record('bob', 'Cleo'),
    entry: entry({ usernameInSource: 'bob' }),
    owner: owner(),
  },
  'an unusable record that says "left", with the username of Bob': saysLeft,
  'the same, and the account is locked': { ...saysLeft, employee: locked },
  'another username and name, and another record has the known ones': {
    record: record('new', 'Nine'),
    claims: claims(),
  },
  'the same, and inactive': { record: left('new', 'Nine'), claims: claims() },
  'another username, and another record has the known one': {
    record: record('new', 'Ann'),
    claims: claims(),
  },
  'another username and name, and Bob has the username': {
    record: record('new', 'Nine'),
    claims: bobClaims(),
  },
  'missing, and the account is unclear': { ...missedNow, unclear: 'refused' },
  'unknown and absent, and the account is unclear': { ...missedNow, entry: null, unclear: 'refused' },
  'missing for the first time, and an unknown id has the username': { ...missedNow, claims: claims() },
  'back after we disabled, with another username and name': {
    record: back,
    entry: entry({ state: 'disabled' }),
  },
  'back after a miss, with another username and name': { record: back, entry: missing.entry },
  'back after a removal, with another username and name': {
    record: back,
    entry: entry({ state: 'removed' }),
  },
  'back after a miss, with another username': { record: record('cleo', 'Ann'), entry: missing.entry },
  'back after a miss, with another name': { record: record('ann', 'Cleo'), entry: missing.entry },
  'back after a removal, with another username': {
    record: record('cleo', 'Ann'),
    entry: entry({ state: 'removed' }),
  },
  'back after a miss with both others, locked by others': {
    record: back,
    entry: missing.entry,
    employee: locked,
  },
  'back after a read that said "left", with both others': { record: back, hasSaidLeft: true },
  'with another username and name': { record: back },
  'missing, and a usable record of an unknown id has the username': {
    ...missing,
    claims: claims({ name: 'Cleo' }),
  },
  'missing, and an unusable one has it': { ...missing, claims: claims({ name: 'Cleo', isUsable: false }) },
  'missing, and an unusable one has it, locked': {
    ...missing,
    claims: claims({ name: 'Cleo', isUsable: false }),
    employee: locked,
  },
  'missing, and Bob has the username': { ...missing, claims: bobClaims({ isUsable: false }) },
  'missing, and Bob has username and name': { ...missing, claims: bobClaims({ name: 'Ann' }) },
  'missing, and Bob has both in an unusable record': {
    ...missing,
    claims: bobClaims({ name: 'Ann', isUsable: false }),
  },
};

test('whose record and account it is, and what follows', async () => {
  const lines = Object.entries(ROWS).map(([what, options]) => {
    const one = row(options);
    const outcome = `${tellMatch(match(one))}\n    ${tellDecision(decidePerson(one, rules()), one.entry?.sent)}`;
    return [what, outcome] as const;
  });
  await expect(told(lines)).toMatchFileSnapshot('whose.txt');
});
