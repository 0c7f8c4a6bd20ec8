import { expect, test } from 'vitest';

import type { Change, Plan } from '../../src/domain/changes.ts';
import type { SequencedChange } from '../../src/domain/ports/ledger/plan-book.ts';
import { plain, type Paint } from '../../src/domain/text/line.ts';
import { describePlan } from '../../src/plan/words/describe-plan.ts';
import { ofUnit } from '../../src/domain/reasons/reason.ts';
import type { Tripped } from '../../src/plan/changes/guards.ts';
import { aboutTripped } from '../../src/plan/words/describe-held.ts';
import { at, personChange, SYNC, treeOf, unit, unitChange } from './build.ts';
import { planOf } from './plan-of.ts';

interface Described extends Partial<Plan> {
  readonly changes: readonly Change[];
  readonly tree?: ReturnType<typeof treeOf>;
  readonly all?: boolean;
  /** By the id of a record. */
  readonly holds?: Readonly<Record<string, Pick<SequencedChange, 'isHeld' | 'hashes'>>>;
  readonly paint?: Paint;
}

function lines({
  changes,
  tree = treeOf([]),
  all = false,
  holds = {},
  paint = plain,
  ...plan
}: Described): readonly string[] {
  const base = planOf(changes, { tree, ...plan });
  const { leavers } = SYNC;
  const listed = changes.map((change, seq) => ({
    seq,
    isHeld: false,
    goesOn: true,
    hashes: [],
    change,
    ...holds[change.id],
  }));
  const book = { sequencedChanges: () => listed };
  const described = describePlan({ plan: base, tree, book, all, leavers, paint });
  return [...described].map((line) => (typeof line === 'string' ? line : line.head + line.text));
}

const company = treeOf([
  unit('s', null, { name: 'Sales' }),
  unit('e', 's', { name: 'Sales East' }),
  unit('w', 's', { name: 'Sales West' }),
  unit('t', null, { name: '技术部' }),
]);

const left = (id: string, reason: string): Plan['blocked'][number] => {
  return { subject: 'person', id, label: `u${id}`, reason };
};

const shared = (n: number): Plan['blocked'][number] =>
  left(`${n}`, `several records share the username u${n}: give each its own in the source`);

const name = { field: 'name', from: 'East', to: 'Sales East' };
const moved = { field: 'positions', from: ['s primary'], to: ['t job_title="Head of IT" primary'] };
const held = { hash: 'abc', count: 30, limit: 20, about: '30 of 400 people would leave', cause: null };
const many = Array.from({ length: 149 }, (_, n) => left(`${n}`, 'unit "People" is unknown'));
const joiners = Array.from({ length: 12 }, (_, n) => personChange(String(n)));
const claim = (id: string, fields: Change['fields']): Change =>
  personChange(id, {
    kind: 'adopt',
    username: `l${id}`,
    guard: 'usernameReuse',
    payload: { fields: { name: 'New \u202eOne' }, positions: [at('a')] },
    why: { code: 'words', values: { words: 'the same person?' } },
    fields: [{ field: 'id', from: '3', to: id }, ...fields],
  });

const PLANS: Readonly<Record<string, Described>> = {
  'nothing to do': { changes: [] },
  'edits that are not corrected, and accounts that keep another username': {
    changes: [],
    tree: company,
    edited: {
      units: 1,
      people: 1,
      first: [
        { subject: 'unit', id: 's', label: 'Sales', reason: 'name edited in the service: not corrected' },
        left('7', 'tel edited in the service: not corrected'),
      ],
    },
    kept: [{ subject: 'person', id: '8', label: 'bob', name: 'Bob Ray', inSource: 'rob' }],
  },
  'changes of units and people': {
    tree: company,
    changes: [
      unitChange('e', { kind: 'update', name: 'Sales East', why: { code: 'changed' }, fields: [name] }),
      unitChange('w', { name: 'Sales West', payload: { fields: {}, parent: 's' } }),
      unitChange('x', {
        kind: 'remove',
        name: 'Old',
        why: { code: 'missing' },
        payload: { fields: {}, parent: 's' },
      }),
      personChange('1', {
        payload: { fields: { name: '王芳' }, positions: [at('w', { primary: true }), at(null)] },
      }),
      personChange('2', {
        kind: 'update',
        why: { code: 'changed' },
        payload: { fields: {}, positions: [at('t', { primary: true })] },
        fields: [moved, { field: 'tel', from: null, to: '12' }],
      }),
      personChange('3', {
        kind: 'disable',
        why: { code: 'inactive' },
        payload: { fields: {}, positions: [at(null)] },
      }),
    ],
  },
  'a move, and what follows': {
    tree: company,
    changes: [
      unitChange('e', {
        kind: 'move',
        name: 'Sales East',
        why: { code: 'moved' },
        fields: [{ field: 'parent', from: 'x', to: 's' }],
      }),
      unitChange('t', { kind: 'move', name: '技术部', why: ofUnit('followsMove', 'e'), cause: 'e' }),
      unitChange('x', { kind: 'remove', name: 'Old', why: { code: 'missing' } }),
    ],
  },
  'a secret': {
    changes: [
      personChange('1', {
        kind: 'update',
        why: { code: 'changed' },
        fields: [{ field: 'secrets', from: '[secret]', to: '[secret]' }],
      }),
    ],
  },
  'more of one kind than are listed': { changes: joiners },
  'all of them': { changes: joiners, all: true },
  'what a guard holds': {
    changes: [personChange('1', { kind: 'disable' })],
    held: [{ ...held, guard: 'leavers', first: ['ann (7)', 'bob (8)'] }],
  },
  'records that are skipped, by reason': { changes: [], blocked: [left('x', 'username: is empty'), ...many] },
  'people who would look the same': {
    changes: [],
    blocked: [
      ...['1', '2'].map((id) => ({ ...left(id, 'is bad'), label: 'ann', name: 'Ann Lee' })),
      { ...left('3', 'is bad'), name: 'Bob Ray' },
    ],
  },
  'four reasons that differ in a name alone': { changes: [], blocked: [1, 2, 3, 4].map(shared) },
  'three of them': { changes: [], blocked: [1, 2, 3].map(shared) },
  'people by username, the unit of the primary position first': {
    tree: company,
    changes: [
      ...['zoe', 'ann', 'h', 'g', 'f', 'e', 'd', 'c', 'b'].map((username, n) =>
        personChange(`${n}`, { username }),
      ),
      personChange('9', {
        username: 'a',
        payload: { fields: {}, positions: [at('e'), at('s', { primary: true })] },
      }),
    ],
  },
  'units in reasons': {
    changes: [],
    blocked: [left('1', 'waits for unit u1: its parent u2 is blocked')],
    unitNames: new Map([
      ['u1', 'Sales'],
      ['u2', 'Old Sales'],
    ]),
  },
  'who is missing': {
    changes: [],
    waiting: [
      { misses: 1, missedAt: 60_000, count: 1, first: [{ id: '7', username: 'ann', name: 'Ann Lee' }] },
    ],
  },
  colours: {
    changes: [unitChange('a')],
    tree: treeOf([unit('a')]),
    paint: (tone, word) => `<${tone} ${word}>`,
  },
  'who may be the same person as another, at the end of a full list': {
    tree: treeOf([unit('a')]),
    changes: [
      ...Array.from({ length: 9 }, (_, n) => personChange(`a${n}`, { kind: 'adopt' })),
      claim('3b', [
        { field: 'name', from: 'Old', to: 'New \u202eOne' },
        { field: 'email', from: 'old@x', to: 'new@x' },
      ]),
      claim('4b', []),
    ],
    held: [{ ...held, guard: 'usernameReuse', count: 2, limit: 0, first: ['l3b (3b)', 'l4b (4b)'] }],
  },
};

test('plans as a person reads them', async () => {
  const text = Object.entries(PLANS).map(([what, plan]) => `## ${what}\n${lines(plan).join('\n')}\n`);
  await expect(text.join('\n')).toMatchFileSnapshot('plans.txt');
});

test('all that is left out is named with --all', () => {
  expect(lines({ changes: [], blocked: many, all: true }).join('\n')).toContain('u148');
});

const tripped = (guard: Tripped['guard'], count: number, base: number): Tripped => {
  const of = { base, percent: 0, approved: 0, applied: 0 };
  return { guard, bucket: `${guard} person`, count, limit: 0, of };
};

test.each([
  ['usernameReuse', 33, 32, '33 people come'],
  ['usernameReuse', 1, 32, '1 person comes'],
  ['gone', 5, 3, '5 people vanished from the service'],
  ['leavers', 5, 32, '5 of 32 people would leave'],
] as const)('the guard %s says numbers that can be: %i of %i', (...[guard, count, base, words]) => {
  expect(aboutTripped(tripped(guard, count, base))).toMatch(new RegExp(`^${words}`, 'u'));
});
