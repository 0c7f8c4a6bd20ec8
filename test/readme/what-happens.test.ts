import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import { GUARD_NAMES, GUARDS } from '../../src/domain/guards.ts';
import type { PersonDecision } from '../../src/plan/people/person-decision.ts';
import { decidePerson } from '../../src/plan/people/reconcile.ts';
import { at, employee, entry, row, rules, shown, staged } from '../plan/build.ts';
import { ROOT, tableOf, withTables } from './page.ts';

const FILE = 'docs/what-happens.md';

const named = (name: string) => ({
  fields: { name },
  positions: [at('sales', { job_title: 'Clerk', primary: true })],
});
const owner = {
  id: '8',
  isHere: 'no',
  entry: entry({ id: '8', username: 'bob', sent: named('Bob') }),
} as const;
const locked = employee({ locked: true });
const missed = entry({ misses: 1, missedAt: 0 });

/** Each line of the page: who it is about, and somebody of whom that is so. */
const LINES: readonly (readonly [string, Partial<PersonRow>])[] = [
  ['The record cannot be used, or the account could not be asked for.', { unclear: 'refused' }],
  [
    'It is unclear whose account it is.',
    { record: staged({ username: 'bob', payload: named('Cleo') }), owner },
  ],
  [
    'The person is inactive by their own record, and the account is active.',
    { record: staged({ active: false }) },
  ],
  ['The same, and rollcall does not know the account.', { record: staged({ active: false }), entry: null }],
  ['The person was missing often enough, and the account is active.', { record: null, entry: missed }],
  ['The person is inactive or missing, and the account is gone.', { record: null, employee: null }],
  ['Somebody else has locked the account.', { employee: locked }],
  ['The person is not known, and has no account.', { entry: null, employee: null }],
  [
    'The person is not known, and an account has the username.',
    { entry: null, record: staged({ payload: named('Anna') }) },
  ],
  ['The known account is gone.', { employee: null }],
  [
    'rollcall has disabled the account, and the person is active.',
    { entry: entry({ state: 'disabled' }), employee: locked },
  ],
  [
    'The record, or the account, has another value than before.',
    { employee: employee({ shown: shown({ name: 'X' }) }) },
  ],
];

const WORDS: Readonly<Record<string, string>> = {
  create: 'makes an account',
  adopt: 'adopts the account',
  update: 'writes the record',
  disable: 'disables the account',
  enable: 'enables the account, and writes the record',
  forget: 'counts the account as gone',
};

const LEAVES = 'disables the account, or removes it (`sync.leavers.action`)';
const ASKED = 'asks; but who is inactive by their own record is disabled';

function lineOf(decision: PersonDecision): readonly [string, string] {
  if (decision.is === 'blocked') return ['waits, and is listed', '–'];
  if (decision.is !== 'change') throw new Error(decision.is);
  const { kind, guard } = decision.change;
  const isMiss = decision.misses !== undefined;
  const words = guard === 'usernameReuse' ? ASKED : isMiss ? LEAVES : (WORDS[kind] ?? kind);
  return [words, guard === null ? '–' : `\`${guard}\``];
}

test('docs/what-happens.md says what the code decides, in at most twelve lines', async () => {
  const lines = LINES.map(([who, options]) => [who, ...lineOf(decidePerson(row(options), rules()))]);
  expect(lines.length).toBeLessThanOrEqual(12);
  const head = ['so it is', 'rollcall', 'guard'];
  const { is, made } = await withTables(FILE, { 'what happens': tableOf(head, lines) });
  expect(is, 'run `npm run readme`').toBe(made);
});

test('it names the guards in their order', () => {
  const text = readFileSync(join(ROOT, FILE), 'utf8').replaceAll(/\s+/gu, ' ');
  expect(text).toContain(GUARD_NAMES.map((guard) => `\`${guard}\``).join(' · '));
});

test('docs/guards-and-approvals.md has each guard with its default', async () => {
  const rows = GUARD_NAMES.map((guard) => {
    const { limit, counts } = GUARDS[guard];
    return [`\`${guard}\``, limit === null ? 'always' : `\`${limit}\``, counts];
  });
  const { is, made } = await withTables('docs/guards-and-approvals.md', {
    guards: tableOf(['guard', 'default', 'what it counts'], rows),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});
