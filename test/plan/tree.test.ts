import { describe, expect, test } from 'vitest';

import type { Unit } from '../../src/domain/records/records.ts';
import type { Reason } from '../../src/domain/reasons/reason.ts';
import { pinnedTree } from '../../src/plan/revert/pinned-tree.ts';
import { buildTree, type UnitTree } from '../../src/plan/units/tree.ts';
import { treeOf, unit } from './build.ts';

const levels = (tree: UnitTree) =>
  [...tree.nodes].map(([id, { parent, level }]) => `${level} ${id} < ${parent}`);

describe('a tree', () => {
  test('has parents before children, else by id, whatever the order of the source', () => {
    const units = [unit('b', 'a'), unit('c', 'b'), unit('a'), unit('d', 'a'), unit('0')];
    const expected = ['1 0 < null', '1 a < null', '2 b < a', '2 d < a', '3 c < b'];
    expect(levels(treeOf(units))).toEqual(expected);
    expect(levels(treeOf(units.toReversed()))).toEqual(expected);
  });

  test('takes equal records for one unit', () => {
    const same = treeOf([unit('a'), unit('a'), unit('b', 'a')]);
    expect([[...same.nodes.keys()], same.problems.size]).toEqual([['a', 'b'], 0]);
  });

  test('finds parents by any of their refs', () => {
    const parent: Unit = { id: '1', refs: ['ou=a,dc=x', '1', 'A'], parent: null, fields: { name: 'A' } };
    const children = ['ou=a,dc=x', '1', 'A'].map((ref, index) => unit(`c${index}`, ref));
    expect(levels(treeOf([parent, ...children]))).toEqual(['1 1 < null', '2 c0 < 1', '2 c1 < 1', '2 c2 < 1']);
  });
});

describe('the root', () => {
  const units = [unit('r', 'above'), unit('a', 'r'), unit('b', 'a')];

  test('is no unit; its children are at the top', () => {
    const tree = treeOf(units, 'r');
    expect(levels(tree)).toEqual(['1 a < null', '2 b < a']);
    expect(tree.resolve('r')).toEqual({ is: 'root' });
    expect(tree.problems.size).toBe(0);
    expect(tree.rootFound).toBe(true);
  });

  test('that is missing is told', () => {
    expect(treeOf(units, 'gone').rootFound).toBe(false);
    expect(treeOf(units).rootFound).toBe(true);
  });
});

describe('a bad unit is left as it is, with what hangs below it', () => {
  test('two with one id', () => {
    const tree = treeOf([unit('a'), unit('a', 'b'), unit('c', 'a'), unit('b')]);
    expect([...tree.problems]).toEqual([
      ['a', { code: 'sharedId' }],
      ['c', { code: 'belowUnplaced', refs: [{ subject: 'unit', id: 'a' }], values: {} }],
    ]);
    expect([...tree.nodes.keys()]).toEqual(['b']);
  });

  test('an unknown parent', () => {
    const tree = treeOf([unit('a', 'x'), unit('b', 'a'), unit('c')]);
    expect([...tree.problems]).toEqual([
      ['a', { code: 'parentUnknown', values: { parent: 'x', near: '' } }],
      ['b', { code: 'belowUnplaced', refs: [{ subject: 'unit', id: 'a' }], values: {} }],
    ]);
  });

  test('a parent whose name several units claim', () => {
    const twice = ['1', '2', '3'].map((id): Unit => ({
      id,
      refs: [id, 'same'],
      parent: null,
      fields: { name: id },
    }));
    const tree = treeOf([...twice, unit('c', 'same')]);
    expect(tree.problems.get('c')).toEqual({ code: 'parentAmbiguous', values: { parent: 'same' } });
    expect(tree.resolve('same')).toEqual({ is: 'ambiguous' });
    expect(tree.resolve('2')).toEqual({ is: 'unit', id: '2' });
  });

  test('a circle, told the same way whatever the order', () => {
    const units = [unit('a', 'c'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c'), unit('e')];
    const refs = ['a', 'c', 'b', 'a'].map((id) => ({ subject: 'unit', id }) as const);
    const circle = (id: string): readonly [string, Reason] => [id, { code: 'ownAncestor', refs }];
    const expected: readonly (readonly [string, Reason])[] = [
      circle('a'),
      circle('b'),
      circle('c'),
      ['d', { code: 'belowUnplaced', refs: [{ subject: 'unit', id: 'c' }], values: {} }],
    ];
    expect(treeOf(units).problems).toEqual(new Map(expected));
    expect(treeOf(units.toReversed()).problems).toEqual(new Map(expected));
  });

  test('a circle of 5,000, told in a line', () => {
    const units = Array.from({ length: 5_000 }, (_, n) => unit(`u${n}`, `u${(n + 1) % 5_000}`));
    const { problems } = treeOf(units);
    expect(problems.size).toBe(5_000);
    const ids = problems.get('u0')?.refs?.map(({ id }) => id);
    expect(ids?.join()).toBe('u0,u1,u2,u3,u4,u5,u6,u7,u8,u9,…,u0');
  });

  test('a parent that could not be mapped, which was in the source all the same', () => {
    const refusal = { subject: 'unit', id: 'p', place: 'row 1', field: 'name', reason: 'is empty' } as const;
    const tree = buildTree({ units: [unit('a', 'p')], refusals: [refusal], root: null });
    expect(tree.problems.has('a')).toBe(true);
    expect(tree.has('p')).toBe(true);
    expect(tree.has('q')).toBe(false);
    expect(tree.problems.get('a')).toEqual({ code: 'parentRefused', values: { parent: 'p' } });
    expect([tree.mayBe('b', 'People & Co'), tree.mayBe('P', 'X')]).toEqual([false, true]);
    const nameless = { ...refusal, id: null, label: 'People & Co', unitRefs: ['dn'] };
    const other = buildTree({ units: [unit('a', 'dn')], refusals: [nameless], root: null });
    expect([other.mayBe('b', 'People & co'), other.mayBe('b', 'Others')]).toEqual([true, false]);
    expect(other.problems.get('a')).toEqual({ code: 'parentRefused', values: { parent: 'dn' } });
  });
});

test('units that are held away have a problem where the source has them, and what is below them too', () => {
  const pinned = new Map([
    ['b', null],
    ['gone', null],
  ]);
  const tree = pinnedTree(treeOf([unit('a'), unit('b', 'a'), unit('c', 'b')]), pinned);
  expect([...tree.nodes.keys()]).toEqual(['a']);
  expect([...tree.problems.keys()].toSorted()).toEqual(['b', 'c']);
  expect(tree.problems.get('b')).toEqual({ code: 'revertedCreation' });
  expect([tree.has('b'), tree.has('gone')]).toEqual([false, false]);
});
