import { describe, expect, test } from 'vitest';

import type { Change, Plan } from '../../src/domain/changes.ts';
import type { SequencedChange } from '../../src/domain/ports/ledger/plan-book.ts';
import { plain, type Paint } from '../../src/domain/text/line.ts';
import { describePlan } from '../../src/plan/words/describe-plan.ts';
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

describe('a plan as a person reads it', () => {
  test('says that there is nothing to do', () => {
    expect(lines({ changes: [] })).toEqual(['Nothing to do: the service is in step with the source.']);
  });

  test('is not in step while edits are not corrected, or accounts keep another username', () => {
    const edited = {
      units: 1,
      people: 1,
      first: [
        { subject: 'unit', id: 's', label: 'Sales', reason: 'name edited in the service: not corrected' },
        left('7', 'tel edited in the service: not corrected'),
      ],
    } as const;
    const kept = [{ subject: 'person', id: '8', label: 'bob', name: 'Bob Ray', inSource: 'rob' }] as const;
    expect(lines({ changes: [], edited, kept, tree: company })).toEqual([
      'Edited in the service, and not corrected: 1 person and 1 unit',
      '  ! unit Sales: name edited in the service: not corrected',
      '  ! person u7: tel edited in the service: not corrected',
      '',
      'Another username in the source, where the account keeps its own: 1',
      '  ! bob (Bob Ray) is rob in the source',
      '',
      'Nothing to send; 1 person and 1 unit edited in the service and not corrected; ' +
        '1 account keeps another username than in the source.',
    ]);
  });

  test('has counts, the tree of what changes, who is concerned, and what to do next', () => {
    const name = { field: 'name', from: 'East', to: 'Sales East' };
    const moved = { field: 'positions', from: ['s primary'], to: ['t job_title="Head of IT" primary'] };
    const changes: readonly Change[] = [
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
    ];
    expect(lines({ changes, tree: company })).toEqual([
      'Plan abc: 6 changes, about 7 calls, 1 s (full read of the service)',
      '  units   + 1 create   ~ 1 update   - 1 remove',
      '  people  + 1 create   ~ 1 update   - 1 disable',
      '',
      '    service root   -1 person',
      '    ├─ Sales',
      '  - │  ├─ Old   (missing in the source)',
      '  ~ │  ├─ Sales East   (changed in the source; name "East" → "Sales East")',
      '  + │  └─ Sales West   +1 person',
      '    └─ 技术部   ~1 person',
      '',
      '  + u1 (王芳) in Sales West, the root',
      '',
      '  ~ u2  changed in the source; positions [Sales primary] → [技术部 job_title="Head of IT" primary]; tel (none) → "12"',
      '',
      '  - u3  disable: inactive in the source',
      '',
      'In all: units + 1 create ~ 1 update - 1 remove; people + 1 create ~ 1 update - 1 disable',
      'Apply it with: rollcall sync',
    ]);
  });

  test('shows a move with where from and where to, and what follows', () => {
    const parent = { field: 'parent', from: 'x', to: 's' };
    const text = lines({
      changes: [
        unitChange('e', { kind: 'move', name: 'Sales East', why: { code: 'moved' }, fields: [parent] }),
        unitChange('t', {
          kind: 'move',
          name: '技术部',
          why: { code: 'followsMove', refs: [{ subject: 'unit', id: 'e' }], values: {} },
          cause: 'e',
        }),
        unitChange('x', { kind: 'remove', name: 'Old', why: { code: 'missing' } }),
      ],
      tree: company,
    });
    expect(text).toContain('  units   > 2 move   - 1 remove');
    expect(text).toContain('  > │  └─ Sales East   (moved in the source; parent "Old" → "Sales")');
    expect(text).toContain('  > └─ 技术部   (follows the move of Sales East)');
  });

  test('never shows a secret', () => {
    const fields = [{ field: 'secrets', from: '[secret]', to: '[secret]' }];
    const text = lines({
      changes: [personChange('1', { kind: 'update', why: { code: 'changed' }, fields })],
    });
    expect(text).toContain('  ~ u1 (N1)  changed in the source; secrets changed');
  });

  test('lists the first eight of each kind, or all', () => {
    const changes = Array.from({ length: 12 }, (_, n) => personChange(String(n)));
    const short = lines({ changes });
    expect(short.filter((line) => line.startsWith('  + u'))).toHaveLength(8);
    expect(short).toContain('    … and 4 more to create (--all lists them)');
    const long = lines({ changes, all: true });
    expect(long.filter((line) => line.startsWith('  + u'))).toHaveLength(12);
    expect(long.join('\n')).not.toContain('more to create');
  });

  test('tells what is held, by which guard, and the command that releases it', () => {
    const held = [
      {
        guard: 'leavers',
        hash: 'abc',
        count: 30,
        limit: 20,
        first: ['ann (7)', 'bob (8)'],
        about: '30 of 400 people would leave',
        cause: null,
      },
    ] as const;
    expect(lines({ changes: [personChange('1', { kind: 'disable' })], held }).slice(-5)).toEqual([
      'HELD by sync.guard.leavers: 30 changes, the limit is 20 (30 of 400 people would leave)',
      '  ann (7), bob (8), … and 28 more',
      '  If that is right, release them with: rollcall sync --approve abc',
      '',
      'In all: people - 1 disable; 30 held',
    ]);
  });

  test('says first what is left as it is, grouped by reason, and is not in step then', () => {
    const many = Array.from({ length: 149 }, (_, n) => left(`${n}`, 'unit "People" is unknown'));
    const one = left('x', 'username: is empty');
    expect(lines({ changes: [], blocked: [one, ...many] })).toEqual([
      'Skipped or waiting: 150 people',
      '  ! 149 people: unit "People" is unknown',
      `      ${Array.from({ length: 10 }, (_, n) => `u${n}`).join(', ')}, … and 139 more (--all lists them)`,
      '  ! person ux: username: is empty',
      '',
      'Nothing to send; 150 people skipped or waiting.',
    ]);
    expect(lines({ changes: [], blocked: many, all: true }).join('\n')).toContain('u148');
  });

  test('names an id where two people would look the same', () => {
    const twins = ['1', '2'].map((id) => ({ ...left(id, 'is bad'), label: 'ann', name: 'Ann Lee' }));
    const blocked = [...twins, { ...left('3', 'is bad'), name: 'Bob Ray' }];
    expect(lines({ changes: [], blocked })).toContain(
      '      ann (Ann Lee, 1), ann (Ann Lee, 2), u3 (Bob Ray)',
    );
  });

  test('puts reasons that differ in a name alone into one group, from four on', () => {
    expect(lines({ changes: [], blocked: [shared(1), shared(2), shared(3), shared(4)] })).toContain(
      '  ! 4 people: several records share the username …: give each its own in the source',
    );
    expect(lines({ changes: [], blocked: [shared(1), shared(2), shared(3)] })).toContain(
      '  ! person u2: several records share the username u2: give each its own in the source',
    );
  });

  test('lists people by username, the unit of the primary position first', () => {
    const people = ['zoe', 'ann', 'h', 'g', 'f', 'e', 'd', 'c', 'b'].map((username, n) =>
      personChange(`${n}`, { username }),
    );
    const positions = [at('e'), at('s', { primary: true })];
    const last = personChange('9', { username: 'a', payload: { fields: {}, positions } });
    const text = lines({ changes: [...people, last], tree: company }).filter((line) =>
      line.startsWith('  + '),
    );
    expect(text.map((line) => line.split(' ')[3])).toEqual(['a', 'ann', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(text[0]).toBe('  + a in Sales, Sales East');
  });

  test('calls units by name in reasons', () => {
    const unitNames = new Map([
      ['u1', 'Sales'],
      ['u2', 'Old Sales'],
    ]);
    const blocked = [left('1', 'waits for unit u1: its parent u2 is blocked')];
    expect(lines({ changes: [], blocked, unitNames })).toContain(
      '  ! person u1: waits for unit Sales: its parent Old Sales is blocked',
    );
  });

  test('tells who is missing, and from when on a run disables them', () => {
    const waiting = [
      { misses: 1, missedAt: 60_000, count: 1, first: [{ id: '7', username: 'ann', name: 'Ann Lee' }] },
    ];
    expect(lines({ changes: [], waiting })).toEqual([
      'Missing in the source in this read; waiting for confirmation, and counted by guards then:',
      '  ! 1 missing once; will be disabled by the first run after 1970-01-01 00:11 UTC: ann (Ann Lee)',
      '',
      'Nothing to send; 1 missing, waiting for confirmation.',
    ]);
  });

  test('has coloured signs where they are asked for', () => {
    const text = lines({
      changes: [unitChange('a')],
      tree: treeOf([unit('a')]),
      paint: (tone, word) => `<${tone} ${word}>`,
    });
    expect(text).toContain('  units   <joins +> 1 create');
    expect(text).toContain('  <joins +> └─ a');
  });
});

const claim = (id: string, fields: Change['fields']): Change =>
  personChange(id, {
    kind: 'adopt',
    username: `l${id}`,
    guard: 'usernameReuse',
    payload: { fields: { name: 'New \u202eOne' }, positions: [at('a')] },
    why: { code: 'words', values: { words: 'the same person?' } },
    fields: [{ field: 'id', from: '3', to: id }, ...fields],
  });
test('who may be the same person under another id stands beside the one of before, also where the list is full', () => {
  const changes = [
    ...Array.from({ length: 9 }, (_, n) => personChange(`a${n}`, { kind: 'adopt' })),
    claim('3b', [
      { field: 'name', from: 'Old', to: 'New \u202eOne' },
      { field: 'email', from: 'old@x', to: 'new@x' },
    ]),
    claim('4b', []),
  ];
  const first = ['l3b (3b)', 'l4b (4b)'];
  const held = [
    { guard: 'usernameReuse', hash: 'h', count: 2, limit: 0, first, about: '', cause: null } as const,
  ];
  const text = lines({ changes, held, tree: treeOf([unit('a')]) }).join('\n');
  const both = String.raw`l3b (New \u202eOne, 3b)  adopt: the same person?; "Old" (3) → "New \u202eOne" (3b); email "old@x" → "new@x"`;
  expect(text.slice(text.indexOf('HELD'))).toContain(both);
  expect(text).toContain(String.raw`"New \u202eOne" (3) → "New \u202eOne" (4b)`);
});
