import { describe, expect, test } from 'vitest';

import type { UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import { ofUnit } from '../../src/domain/reasons/reason.ts';
import { decideUnits, type UnitsDecision, type UnitsInput } from '../../src/plan/units/decide-units.ts';
import { buildTree } from '../../src/plan/units/tree.ts';
import { node, SYNC, treeOf, unit, unitEntry } from './build.ts';

/** A world of one source, ledger and service; what is not named is empty. */
function decide(world: Partial<UnitsInput>): UnitsDecision {
  return decideUnits({
    tree: treeOf([]),
    entries: [],
    organizations: [],
    rootOrgId: 'root',
    sync: SYNC,
    ...world,
  });
}

const nodes = (entries: readonly UnitEntry[]) =>
  entries.map(({ id, sent }) =>
    node(`o-${id}`, { parentId: sent.parent === null ? 'root' : `o-${sent.parent}` }),
  );

const brief = ({ changes }: UnitsDecision): readonly string[] =>
  changes.map(({ kind, id }) => `${kind} ${id}`);

describe('a new unit', () => {
  test('is created, parents first, with its id as serial number', () => {
    const decision = decide({ tree: treeOf([unit('a', 'b'), unit('b'), unit('c', 'a')]) });
    expect(brief(decision)).toEqual(['create b', 'create a', 'create c']);
    expect(decision.changes[0]).toMatchObject({ serialNo: 'b', orgId: null, payload: { parent: null } });
    expect(decision.changes[1]).toMatchObject({ payload: { fields: { name: 'a' }, parent: 'b' } });
  });

  test('takes the mapped serial number', () => {
    const tree = treeOf([
      unit('a', null, { name: 'A', serial_no: 'S1' }),
      unit('b', null, { name: 'B', serial_no: null }),
    ]);
    expect(decide({ tree }).changes.map(({ serialNo }) => serialNo)).toEqual(['S1', 'b']);
  });

  test('is adopted by serial number, with the fields that differ and those that are not shown', () => {
    const tree = treeOf([unit('a', null, { name: 'New', tel: '1', type: 'DEPT' })]);
    const there = node('o1', {
      name: 'Old',
      serialNo: 'a',
      fields: { name: 'Old', type: 'DEPT', serial_no: 'a' },
    });
    const decision = decide({ tree, organizations: [there] });
    const fields = [
      { field: 'name', from: 'Old', to: 'New' },
      { field: 'tel', from: null, to: '1' },
    ];
    expect(decision.changes).toMatchObject([{ kind: 'adopt', orgId: 'o1', serialNo: 'a', fields }]);
  });

  test('is adopted below a parent that is adopted in the same plan', () => {
    const organizations = [
      node('o1', { name: 'a', serialNo: null }),
      node('o2', { name: 'b', serialNo: null, parentId: 'o1' }),
    ];
    expect(brief(decide({ tree: treeOf([unit('a'), unit('b', 'a')]), organizations }))).toEqual([
      'adopt a',
      'adopt b',
    ]);
  });

  test('is blocked where the node of its name carries another serial number, and all below it', () => {
    const organizations = [node('o1', { name: 'a', serialNo: 'theirs' })];
    const decision = decide({ tree: treeOf([unit('a'), unit('b', 'a'), unit('c', 'b')]), organizations });
    expect(decision.changes).toEqual([]);
    expect([...decision.blocked]).toEqual([
      ['a', { code: 'namesake', values: { serial: 'theirs' } }],
      ['b', { code: 'waitsForUnit', refs: [{ subject: 'unit', id: 'a' }], values: {} }],
      ['c', { code: 'waitsForUnit', refs: [{ subject: 'unit', id: 'b' }], values: {} }],
    ]);
  });

  test('is blocked where several nodes have its name', () => {
    const organizations = ['o1', 'o2'].map((id) => node(id, { name: 'a', serialNo: null }));
    const { blocked } = decide({ tree: treeOf([unit('a')]), organizations });
    expect(blocked.has('a')).toBe(true);
  });

  test('is moved from wherever the node with its serial number stands', () => {
    const theirs = node('elsewhere', { name: 'Theirs', serialNo: null });
    const there = node('o1', { serialNo: 'a', parentId: 'elsewhere' });
    const decision = decide({ tree: treeOf([unit('a')]), organizations: [theirs, there] });
    expect(decision.changes).toMatchObject([
      { kind: 'move', id: 'a', orgId: 'o1', guard: 'unitsMoved', payload: { parent: null } },
    ]);
    expect(decision.changes[0]?.why).toEqual({ code: 'elsewhere', values: { parent: 'Theirs' } });
    expect(decision.changes[0]?.fields.map(({ field }) => field)).toEqual(['parent', 'name']);
    expect([...decision.blocked]).toEqual([]);
  });

  test('is blocked where a sibling of the source has its name, whoever comes first', () => {
    const units = [unit('1', null, { name: 'Same' }), unit('2', null, { name: 'Same' })];
    for (const tree of [treeOf(units), treeOf(units.toReversed())]) {
      const decision = decide({ tree });
      expect(brief(decision)).toEqual(['create 1']);
      expect(decision.blocked.get('2')).toEqual(ofUnit('rivalName', '1'));
    }
  });

  test('may have the name of a unit below another parent, and of the root itself', () => {
    const root = node('root', { name: 'Acme', parentId: null, serialNo: null });
    const tree = treeOf([unit('h'), unit('1', 'h', { name: 'Acme' }), unit('2', '1', { name: 'Acme' })]);
    expect(brief(decide({ tree, organizations: [root] }))).toEqual(['create h', 'create 1', 'create 2']);
  });

  test('never takes the node of another unit with the same serial number', () => {
    const tree = treeOf([unit('a'), unit('b', null, { name: 'b', serial_no: 'a' })]);
    const managed = decide({ tree, entries: [unitEntry('a')], organizations: [node('o-a')] });
    expect(managed.changes).toEqual([]);
    expect(managed.blocked.get('b')).toMatchObject({ code: 'rivalSerial', values: { serial: 'a' } });
    const fresh = decide({ tree });
    expect(brief(fresh)).toEqual(['create a']);
    expect(fresh.blocked.get('b')).toMatchObject({ code: 'rivalSerial' });
  });
});

describe('a managed unit', () => {
  const managed = { entries: [unitEntry('a')], organizations: [node('o-a')] };

  test('that was renamed is the same node with another name', () => {
    const { changes } = decide({ ...managed, tree: treeOf([unit('a', null, { name: 'A2' })]) });
    const fields = [{ field: 'name', from: 'a', to: 'A2' }];
    expect(changes).toMatchObject([
      { kind: 'update', orgId: 'o-a', serialNo: 'a', guard: 'updates', fields },
    ]);
  });

  test('that moved is a move, with its other changes', () => {
    const tree = treeOf([unit('b'), unit('a', 'b', { name: 'A2' })]);
    const entries = [unitEntry('a'), unitEntry('b')];
    const { changes } = decide({ tree, entries, organizations: [node('o-a'), node('o-b')] });
    const fields = [
      { field: 'parent', from: null, to: 'b' },
      { field: 'name', from: 'a', to: 'A2' },
    ];
    expect(changes).toMatchObject([{ kind: 'move', id: 'a', guard: 'unitsMoved', fields }]);
  });

  test('that somebody edited is repaired, or only reported', () => {
    const world = {
      ...managed,
      organizations: [node('o-a', { fields: { name: 'theirs' } })],
      tree: treeOf([unit('a')]),
    };
    const fields = [{ field: 'name', from: 'theirs', to: 'a' }];
    expect(decide(world).changes).toMatchObject([{ kind: 'update', why: { code: 'edited' }, fields }]);
    const reported = decide({ ...world, sync: { ...SYNC, drift: 'report' } });
    expect(reported.changes).toEqual([]);
    expect(reported.drift).toEqual(new Map([['a', fields]]));
  });

  test('that changed in the source and was edited too is written whole', () => {
    const organizations = [node('o-a', { fields: { name: 'a', logo: 'theirs' } })];
    const tree = treeOf([unit('a', null, { name: 'A2', logo: 'md5:1' })]);
    const sent = { fields: { name: 'a', logo: 'md5:1' }, parent: null };
    const entries = [unitEntry('a', { sent, accepted: { name: 'a', logo: '17' } })];
    const { changes } = decide({ tree, entries, organizations });
    const fields = ['name', 'logo'].map((field) => expect.objectContaining({ field }));
    expect(changes).toMatchObject([{ kind: 'update', fields }]);
  });

  test('whose record became bad is left as it is, with all below it', () => {
    const entries = ['a', 'b', 'c'].map((id) => unitEntry(id));
    const tree = treeOf([unit('a', 'nowhere'), unit('b', 'a'), unit('c', 'c2'), unit('c2', 'c')]);
    const decision = decide({ tree, entries, organizations: entries.map(({ id }) => node(`o-${id}`)) });
    expect(decision.changes).toEqual([]);
    expect([...decision.blocked.keys()].toSorted()).toEqual(['a', 'b', 'c', 'c2']);
  });
});

describe('a unit that is missing in the source', () => {
  const chain = [
    unitEntry('a'),
    unitEntry('b', { sent: { fields: { name: 'b' }, parent: 'a' } }),
    unitEntry('c', { sent: { fields: { name: 'c' }, parent: 'b' } }),
  ];
  const organizations = nodes(chain);

  test('is removed, children first, after everything else', () => {
    for (const entries of [chain, chain.toReversed()]) {
      expect(brief(decide({ entries, organizations, tree: treeOf([unit('n')]) }))).toEqual([
        'create n',
        'remove c',
        'remove b',
        'remove a',
      ]);
    }
  });

  test('is kept where that is asked for', () => {
    expect(decide({ entries: chain, organizations, sync: { ...SYNC, unitsGone: 'keep' } }).changes).toEqual(
      [],
    );
  });

  test('is not removed while a unit of the read that is called so has no readable id', () => {
    const refusal = { subject: 'unit', id: null, place: 'row 3', field: 'id', reason: 'is empty' } as const;
    const removedWith = (label: string | null) => {
      const tree = buildTree({ units: [unit('x')], refusals: [{ ...refusal, label }], root: null });
      return brief(decide({ entries: chain, organizations, tree })).filter((one) => one.startsWith('remove'));
    };
    const all = removedWith(null);
    expect(all).toHaveLength(chain.length);
    const [first] = chain;
    expect(removedWith(` ${first?.id.toUpperCase()} `)).toEqual(
      all.filter((one) => one !== `remove ${first?.id}`),
    );
    expect(removedWith('somebody else')).toEqual(all);
  });

  test('is ordered in a moment, also in a chain of 5,000', () => {
    const entries = Array.from({ length: 5_000 }, (_, n) =>
      unitEntry(`u${n}`, { sent: { fields: { name: `u${n}` }, parent: n === 0 ? null : `u${n - 1}` } }),
    );
    const { changes } = decide({ entries, organizations: nodes(entries) });
    expect(changes.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toReversed());
  });
});
