import { describe, expect, test } from 'vitest';

import type { UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { decideUnits, type UnitsDecision, type UnitsInput } from '../../src/plan/units/decide-units.ts';
import { unitName } from '../../src/plan/units/tree.ts';
import { node, SYNC, treeOf, unit, unitEntry } from './build.ts';

/** A managed unit and its node below the parent's. */
const managed = (id: string, parent: string | null = null, name = id): UnitEntry =>
  unitEntry(id, { sent: { fields: { name }, parent }, accepted: { name } });

const nodeOf = ({ id, sent }: UnitEntry) =>
  node(`o-${id}`, {
    parentId: sent.parent === null ? 'root' : `o-${sent.parent}`,
    name: unitName(sent),
    serialNo: id,
    fields: sent.fields,
  });

function decide(
  units: readonly Unit[],
  entries: readonly UnitEntry[],
  more: Partial<UnitsInput> = {},
): UnitsDecision {
  return decideUnits({
    tree: treeOf(units),
    entries,
    organizations: entries.map(nodeOf),
    rootOrgId: 'root',
    sync: SYNC,
    ...more,
  });
}

const brief = ({ changes }: UnitsDecision): readonly string[] =>
  changes.map(({ kind, id, cause }) => `${kind} ${id}${cause === null ? '' : ` because of ${cause}`}`);

const named = (id: string, parent: string | null, name: string): Unit => unit(id, parent, { name });

describe('a move', () => {
  const entries = [managed('a'), managed('b'), managed('c', 'b'), managed('d', 'c')];

  test('takes what is below along, parents first, each with the topmost as its cause', () => {
    const decision = decide([unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c')], entries);
    expect(brief(decision)).toEqual(['move b', 'move c because of b', 'move d because of b']);
    expect(decision.changes[1]).toMatchObject({
      why: { code: 'followsMove', refs: [{ subject: 'unit', id: 'b' }], values: {} },
      fields: [],
      guard: 'unitsMoved',
    });
  });

  test('of a unit below one that moves too has its own cause', () => {
    const decision = decide([unit('a'), unit('b', 'a'), unit('c'), unit('d', 'b')], entries);
    expect(brief(decision)).toEqual(['move c', 'move b', 'move d']);
  });

  test('that an interrupted run left half done goes on below', () => {
    const half = [managed('a'), managed('b', 'a'), managed('c', 'b')];
    const organizations = [
      node('old', { name: 'b', serialNo: 'b~old' }),
      ...half.map(nodeOf).map((one) => (one.id === 'o-c' ? { ...one, parentId: 'old' } : one)),
    ];
    const units = [unit('a'), unit('b', 'a'), unit('c', 'b')];
    const { changes } = decide(units, half, { organizations });
    expect(changes).toMatchObject([{ kind: 'move', id: 'c', why: { code: 'parentMoved' }, guard: null }]);
  });

  test('follows a parent whose node is somebody else’s by now, in the same plan', () => {
    const known = [managed('a'), managed('b', 'a')];
    const theirs = node('o-a', { name: 'Theirs', serialNo: 'theirs', fields: { name: 'Theirs' } });
    const organizations = [theirs, nodeOf(known[1]!)];
    const { changes } = decide([unit('a'), unit('b', 'a')], known, { organizations });
    expect(changes).toMatchObject([
      { kind: 'create', id: 'a', guard: 'adopted' },
      { kind: 'move', id: 'b', cause: 'a' },
    ]);
  });

  test('of units whose nodes were made anew elsewhere starts from these', () => {
    const known = [managed('a'), managed('b'), managed('c', 'b')];
    const organizations = known.map((entry) => {
      const parentId = entry.id === 'a' ? 'root' : 'n-a';
      return { ...nodeOf(entry), id: `n-${entry.id}`, parentId };
    });
    const { changes } = decide([unit('a'), unit('b'), unit('c', 'b')], known, { organizations });
    const fields = [{ field: 'parent', from: 'a', to: null }];
    expect(changes).toMatchObject([
      { kind: 'adopt', id: 'a', orgId: 'n-a', why: { code: 'otherNode' }, guard: null },
      { kind: 'move', id: 'b', orgId: 'n-b', why: { code: 'edited' }, fields },
      {
        kind: 'move',
        id: 'c',
        orgId: 'n-c',
        why: { code: 'followsMove', refs: [{ subject: 'unit', id: 'b' }], values: {} },
        fields: [],
        cause: 'b',
      },
    ]);
  });

  test.each([
    ['of ours, whose node is another one now, gets its logo again', [managed('a')], ['logo']],
    ['that was never ours keeps the logo that its node shows', [], []],
  ] as const)('a unit %s', (_, known, sent) => {
    const logo = `md5:${'0'.repeat(32)}`;
    const [entry] = [managed('a')];
    const organizations = [{ ...nodeOf(entry), id: 'n-a', fields: { name: 'a', logo: '17' } }];
    const { changes } = decide([unit('a', null, { name: 'a', logo })], known, {
      organizations,
    });
    expect(changes).toMatchObject([{ kind: 'adopt', id: 'a', orgId: 'n-a' }]);
    expect(changes.flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(sent);
  });

  test('to where somebody has put the node already is an update', () => {
    const organizations = entries
      .map((entry) => nodeOf(entry))
      .map((one) => (one.id === 'o-b' ? { ...one, parentId: 'o-a' } : one));
    const units = [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c')];
    const decision = decide(units, entries, { organizations });
    expect(decision.changes).toMatchObject([
      { kind: 'update', id: 'b', fields: [{ field: 'parent', from: null, to: 'a' }] },
    ]);
  });

  test('of a protected unit is blocked, with what is below', () => {
    const sync = { ...SYNC, protect: { usernames: [], units: ['b'] } };
    const decision = decide([unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c')], entries, { sync });
    expect(decision.changes).toEqual([]);
    expect(decision.blocked.get('b')).toEqual({ code: 'protectedMove' });
  });

  test('that was interrupted before the new node was made goes on, also where the source has taken it back', () => {
    const organizations = [{ ...nodeOf(managed('a')), serialNo: 'a~o-a' }];
    expect(decide([unit('a')], [managed('a')], { organizations }).changes).toMatchObject([
      { kind: 'move', why: { code: 'moveInterrupted' }, orgId: 'o-a', guard: null },
    ]);
  });
});

describe('a name that is held', () => {
  const theirs = node('t', { name: 'X', serialNo: null });
  const others = node('t', { name: 'X', serialNo: 'theirs' });

  test.each([
    ['renamed', [named('a', null, 'Y')], [managed('a', null, 'X')]],
    ['moved', [unit('p'), named('a', 'p', 'X')], [managed('a', null, 'X'), managed('p')]],
    ['removed, and had another number', [unit('p')], [managed('a', null, 'X'), managed('p')]],
  ] as const)('by a unit that is %s is free for a new one', (_, units, entries) => {
    const numbered = entries.map((one) => ({
      ...one,
      sent: { ...one.sent, fields: { ...one.sent.fields, serial_no: one.id } },
    }));
    const own = units.map((one) => ({ ...one, fields: { ...one.fields, serial_no: one.id } }));
    const decision = decide([...own, unit('n', null, { name: 'X', serial_no: 'n' })], numbered);
    expect([...decision.blocked]).toEqual([]);
    expect(brief(decision)).toContain('create n');
  });

  test('by a unit that stays, or is kept, is not', () => {
    const entries = [managed('a', null, 'X')];
    expect(decide([named('a', null, 'X'), named('n', null, 'X')], entries).blocked.has('n')).toBe(true);
    const sync = { ...SYNC, unitsGone: 'keep' } as const;
    const numbered = entries.map((one) => ({
      ...one,
      sent: { ...one.sent, fields: { name: 'X', serial_no: 'a' } },
    }));
    const other = unit('n', null, { name: 'X', serial_no: 'n' });
    expect(decide([other], numbered, { sync }).blocked.has('n')).toBe(true);
  });

  test.each([theirs, others])('by a node of somebody else blocks the move', (there) => {
    const entries = [managed('a'), managed('b', 'a', 'X')];
    const organizations = [...entries.map(nodeOf), there];
    const decision = decide([unit('a'), named('b', null, 'X')], entries, { organizations });
    expect(decision.changes).toEqual([]);
    expect(decision.blocked.get('b')).toEqual({ code: 'nameOfNode', values: { node: 't' } });
  });

  test('by a node that the unit has left is free', () => {
    const organizations = [{ ...others, serialNo: 'n~t' }];
    expect(brief(decide([named('n', null, 'X')], [], { organizations }))).toEqual(['create n']);
  });

  test('goes to the managed unit that gets it, not to a new one', () => {
    const units = [named('b', null, 'X'), named('a', null, 'X')];
    const decision = decide(units, [managed('b', null, 'Y')]);
    expect(brief(decision)).toEqual(['update b']);
    expect(decision.blocked.get('a')).toMatchObject({ code: 'rivalName' });
  });
});
