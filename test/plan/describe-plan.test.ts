import { describe, expect, test } from 'vitest';

import type { Change, Evidence, Plan } from '../../src/domain/changes.ts';
import { describePlan } from '../../src/plan/describe-plan.ts';
import { at, personChange, treeOf, unit, unitChange } from './build.ts';

const NO_CHANGES: Plan['counts'] = {
  units: { create: 0, update: 0, move: 0, remove: 0, adopt: 0 },
  people: { create: 0, update: 0, adopt: 0, disable: 0, enable: 0, remove: 0 },
};

/** Counts as the run counts them. */
function countsOf(changes: readonly Change[]): Plan['counts'] {
  const counts = structuredClone(NO_CHANGES) as {
    units: Record<string, number>;
    people: Record<string, number>;
  };
  for (const { subject, kind } of changes) {
    const group = subject === 'unit' ? counts.units : counts.people;
    group[kind] = (group[kind] ?? 0) + 1;
  }
  return counts as Plan['counts'];
}

interface Described extends Partial<Plan> {
  readonly changes: readonly Change[];
  readonly tree?: ReturnType<typeof treeOf>;
  readonly all?: boolean;
}

const COUNT = { count: 0, total: 0 };
const EVIDENCE: Evidence = {
  source: { type: 'sqlite', snapshot: 'one read transaction', parts: [], referrals: [], unknown: [] },
  service: { organizations: COUNT, users: COUNT, employees: { asked: 0, found: 0 } },
};

function lines({ changes, tree = treeOf([]), all = false, ...plan }: Described): readonly string[] {
  const counts = countsOf(changes);
  const base: Plan = {
    hash: 'abc',
    full: true,
    evidence: EVIDENCE,
    counts,
    held: [],
    blocked: [],
    calls: 7,
    estimatedSeconds: 1,
  };
  return [...describePlan({ plan: { ...base, ...plan }, tree, staging: { allChanges: () => changes }, all })];
}

const company = treeOf([
  unit('s', null, { name: 'Sales' }),
  unit('e', 's', { name: 'Sales East' }),
  unit('w', 's', { name: 'Sales West' }),
  unit('t', null, { name: '技术部' }),
]);

describe('a plan as a person reads it', () => {
  test('says that there is nothing to do', () => {
    expect(lines({ changes: [] })).toEqual([
      'Nothing to do: the service is in step with the source (plan abc).',
    ]);
  });

  test('has counts, the tree of what changes, who is concerned, and what to do next', () => {
    const name = { field: 'name', from: 'East', to: 'Sales East' };
    const moved = { field: 'positions', from: ['s primary'], to: ['t job_title="Head of IT" primary'] };
    const changes: readonly Change[] = [
      unitChange('e', { kind: 'update', name: 'Sales East', why: 'changed in the source', fields: [name] }),
      unitChange('w', { name: 'Sales West', payload: { fields: {}, parent: 's' } }),
      unitChange('x', {
        kind: 'remove',
        name: 'Old',
        why: 'missing in the source',
        payload: { fields: {}, parent: 's' },
      }),
      personChange('1', {
        payload: { fields: { name: '王芳' }, positions: [at('w', { primary: true }), at(null)] },
      }),
      personChange('2', {
        kind: 'update',
        why: 'changed in the source',
        payload: { fields: {}, positions: [at('t', { primary: true })] },
        fields: [moved, { field: 'tel', from: null, to: '12' }],
      }),
      personChange('3', {
        kind: 'disable',
        why: 'inactive in the source',
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
      '  + u1 (1)  王芳 in Sales West, the root',
      '',
      '  ~ u2 (2)  changed in the source; positions [Sales primary] → [技术部 job_title="Head of IT" primary]; tel (none) → "12"',
      '',
      '  - u3 (3)  disable: inactive in the source',
      '',
      'Apply it with: rollcall sync',
    ]);
  });

  test('shows a move with where from and where to, and what follows', () => {
    const parent = { field: 'parent', from: 'x', to: 's' };
    const text = lines({
      changes: [
        unitChange('e', { kind: 'move', name: 'Sales East', why: 'moved in the source', fields: [parent] }),
        unitChange('t', { kind: 'move', name: '技术部', why: 'follows the move of e', cause: 'e' }),
        unitChange('x', { kind: 'remove', name: 'Old', why: 'missing in the source' }),
      ],
      tree: company,
    });
    expect(text).toContain('  units   > 2 move   - 1 remove');
    expect(text).toContain('  > │  └─ Sales East   (moved in the source; parent "Old" → "Sales")');
    expect(text).toContain('  > └─ 技术部   (follows the move of e)');
  });

  test('shows both usernames of a person who gets another account', () => {
    const why = 'username changes from ann to anna: a new account, the old one leaves';
    const fields = [{ field: 'username', from: 'ann', to: 'anna' }];
    const change = personChange('7', { username: 'anna', guard: 'usernameReuse', why, fields });
    expect(lines({ changes: [change] })).toContain(`  + anna (7)  ${why}`);
  });

  test('never shows a secret', () => {
    const fields = [{ field: 'secrets', from: '[secret]', to: '[secret]' }];
    const text = lines({
      changes: [personChange('1', { kind: 'update', why: 'changed in the source', fields })],
    });
    expect(text).toContain('  ~ u1 (1)  changed in the source; secrets changed');
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

  test('cuts a tree at 60 lines and says so', () => {
    const ids = Array.from({ length: 100 }, (_, n) => `u${String(n).padStart(3, '0')}`);
    const text = lines({ changes: ids.map((id) => unitChange(id)), tree: treeOf(ids.map((id) => unit(id))) });
    expect(text.filter((line) => /[├└]─ /u.test(line))).toHaveLength(60);
    expect(text).toContain('    … and 40 more units');
  });

  test('draws a chain of 5,000 levels without falling over', () => {
    const units = Array.from({ length: 5_000 }, (_, n) => unit(`u${n}`, n === 0 ? null : `u${n - 1}`));
    const text = lines({ changes: [unitChange('u4999')], tree: treeOf(units) });
    expect(text).toContain('    … and 4940 more units');
  });

  test('tells what is held, by which guard, and the command that releases it', () => {
    const held = [
      { guard: 'leavers', hash: 'abc', count: 30, limit: 20, first: ['ann (7)', 'bob (8)'] },
    ] as const;
    expect(lines({ changes: [personChange('1', { kind: 'disable' })], held }).slice(-3)).toEqual([
      'HELD by sync.guard.leavers: 30 changes, the limit is 20',
      '  ann (7), bob (8), … and 28 more',
      '  If that is right, release them with: rollcall sync --approve abc',
    ]);
  });

  test('lists what is left as it is, also where there is nothing to do', () => {
    const blocked = Array.from({ length: 12 }, (_, n) => {
      return { subject: 'person' as const, id: String(n), label: n === 0 ? '0' : `u${n}`, reason: 'waits' };
    });
    expect(lines({ changes: [], blocked })).toEqual([
      'Nothing to do: the service is in step with the source (plan abc).',
      '',
      'Left as they are (12):',
      '  ! person 0: waits',
      ...Array.from({ length: 9 }, (_, n) => `  ! person u${n + 1} (${n + 1}): waits`),
      '    … and 2 more (--json lists them)',
    ]);
  });

  test('says how long it takes, and how much was read', () => {
    const [head] = lines({ changes: [unitChange('a')], full: false, calls: 3_000, estimatedSeconds: 301 });
    expect(head).toBe(
      'Plan abc: 1 change, about 3000 calls, 6 min (changes of the service since the last run)',
    );
  });
});
