import { describe, expect, test } from 'vitest';

import type { FieldValue } from '../../src/domain/records/fields.ts';
import {
  changedFields,
  changedPositions,
  nodeLabels,
  sameValue,
  spellPositions,
} from '../../src/plan/values/compare.ts';
import { changedShown, differsFrom, expectedOf } from '../../src/plan/values/compare-shown.ts';
import { at, shown } from './build.ts';

describe('two values', () => {
  const EMPTY: readonly (FieldValue | null | undefined)[] = [undefined, null, '', [], {}];

  test('that are missing, null or empty are the same', () => {
    for (const a of EMPTY) for (const b of EMPTY) expect(sameValue(a, b)).toBe(true);
    for (const a of EMPTY) {
      for (const b of ['x', ['x'], { x: '1' }, true, false] as const) expect(sameValue(a, b)).toBe(false);
    }
  });

  test.each<[FieldValue, FieldValue, boolean]>([
    [['1', '2'], ['2', '1'], true],
    [['1', '2'], ['1'], false],
    [['1', '1'], ['1'], false],
    [{ a: '1', b: '2' }, { b: '2', a: '1' }, true],
    [{ a: ['1'] }, { b: ['1'] }, false],
    [{ a: ['1'], b: [] }, { a: ['1'] }, true],
    ['9007199254740993', '9007199254740992', false],
    ['1', '01', false],
    ['a', 'A', false],
    [true, false, false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(sameValue(a, b)).toBe(same);
    expect(sameValue(b, a)).toBe(same);
  });
});

describe('changed fields', () => {
  test('are those that are mapped and differ', () => {
    expect(
      changedFields({ name: 'A', tel: '1', fax: '2' }, { name: 'B', tel: '1', email: null, mobile: '3' }),
    ).toEqual([
      { field: 'name', from: 'A', to: 'B' },
      { field: 'mobile', from: null, to: '3' },
    ]);
  });
});

describe('positions', () => {
  test('are spelled with their marks and titles, quoted where they could be misread', () => {
    const positions = [
      at('b', { job_title: 'Clerk', primary: true, chief: true }),
      at('a', { job_title: 'Head of chief', primary: false, source_type: null }),
      at(null, { job_title: '' }),
    ];
    expect(spellPositions(positions)).toEqual([
      '(root)',
      'a job_title="Head of chief"',
      'b chief job_title=Clerk primary',
    ]);
  });

  test('that moved, or changed title or mark, are one change', () => {
    expect(changedPositions([at('a', { primary: true })], [at('b', { primary: true })])).toEqual([
      { field: 'positions', from: ['a primary'], to: ['b primary'] },
    ]);
    expect(
      changedPositions([at('a', { job_title: 'x primary' })], [at('a', { job_title: 'x', primary: true })]),
    ).toHaveLength(1);
  });
});

const NODES = {
  orgIdOf: (id: string | null) => ({ root: '50', sales: '51' })[id ?? 'root'],
  unitOf: (orgId: string) => (orgId === '52' ? 'tech' : undefined),
};

const titledAt = (...nodes: readonly string[]) => ({
  fields: {},
  positions: nodes.map((orgId) => ({ orgId, fields: { job_title: 'typed in' } })),
});
const placed = (positions: readonly string[]) => ({
  fields: {},
  positions: positions.map((one) => ({ orgId: one.slice(0, 2), fields: { job_title: one.slice(3) } })),
});
const isOurs = (orgId: string): boolean => orgId !== '90';

describe('what is shown', () => {
  const mapped = { fields: { name: 'Ann', email: null }, positions: [at('sales', { job_title: 'Clerk' })] };

  test('is compared in mapped fields only, from what it is to what it was', () => {
    const was = shown({ name: 'Ann', mobile: '1' });
    const now = shown({ name: 'Anne', email: 'x@y', mobile: '2' });
    expect(changedShown(was, now, expectedOf(mapped, NODES.orgIdOf))).toEqual([
      { field: 'name', from: 'Anne', to: 'Ann' },
      { field: 'email', from: 'x@y', to: null },
    ]);
  });

  test('takes no part with positions at nodes of others, nor with what is shown of no position', () => {
    const expected = expectedOf(
      { ...mapped, positions: [at('sales', { source_type: 'HR' })] },
      NODES.orgIdOf,
    );
    expect(differsFrom(expected, titledAt('51', '90'), { isOurs })).toEqual([]);
    expect(differsFrom(expected, titledAt('51', '52'), { isOurs })).toHaveLength(1);
    expect(differsFrom(expected, titledAt('51', '90'))).toHaveLength(1);
  });

  test.each([
    ['sort_order', '0', null],
    ['senior', false, undefined],
    ['email', '', null],
    ['tags', [], null],
    ['properties', { '11': [] }, { '12': ['typed in'] }],
  ])('a %s that is %j is as a new account has it, and no other than %j', (field, a, b) => {
    const expected = { fields: { [field]: a }, positions: [] };
    expect(differsFrom(expected, { fields: { [field]: b ?? null }, positions: [] })).toEqual([]);
    expect(changedShown({ fields: { [field]: b ?? null }, positions: [] }, expected, expected)).toEqual([]);
  });

  test('leaves out position fields that are not mapped', () => {
    const now = {
      ...shown(),
      positions: [{ orgId: '51', fields: { job_title: 'Clerk', primary: true, chief: true } }],
    };
    expect(changedShown(shown(), now, expectedOf(mapped, NODES.orgIdOf))).toEqual([]);
  });

  test.each([
    ['in another order', ['51 Clerk', '52 Boss'], ['52 Boss', '51 Clerk'], 0],
    ['with one at another node', ['51 Clerk', '52 Boss'], ['51 Clerk', '53 Boss'], 1],
    ['with one more', ['51 Clerk'], ['51 Clerk', '52 Boss'], 1],
    ['with one less', ['51 Clerk', '52 Boss'], ['51 Clerk'], 1],
    ['with the same one twice', ['51 Clerk', '52 Boss'], ['51 Clerk', '51 Clerk'], 1],
    ['with the same one once more', ['51 Clerk'], ['51 Clerk', '51 Clerk'], 1],
    ['with another title at one node of two', ['51 Clerk', '51 Boss'], ['51 Clerk', '51 Head'], 1],
    ['with two at one node in another order', ['51 Clerk', '51 Boss'], ['51 Boss', '51 Clerk'], 0],
  ])('tells positions %s', (_, before, after, changes) => {
    expect(differsFrom(placed(before), placed(after))).toHaveLength(changes);
    expect(differsFrom(placed(after), placed(before))).toHaveLength(changes);
  });

  test('differs from what should be only in fields that the service shows', () => {
    const payload = { fields: { name: 'Ann', email: 'a@b' }, positions: [at('sales', { primary: true })] };
    const expected = expectedOf(payload, () => '51');
    expect(differsFrom(expected, shown({ name: 'Ann' }))).toEqual([]);
    expect(differsFrom(expected, shown({ name: 'Ann', email: '' }))).toEqual([
      { field: 'email', from: '', to: 'a@b' },
    ]);
  });

  test('is compared by node, and spelled by unit', () => {
    const payload = { fields: {}, positions: [at('sales', { primary: true }), at('new')] };
    const actual = {
      fields: {},
      positions: ['50', '52', '99', '98'].map((orgId) => ({ orgId, fields: {} })),
    };
    const differs = (names: ReturnType<typeof nodeLabels>) =>
      differsFrom(expectedOf(payload, NODES.orgIdOf), actual, { nameOf: names });
    const to = ['new', 'sales primary'];
    expect(differs(nodeLabels(NODES, [payload]))).toEqual([
      { field: 'positions', from: ['(another node)', '(another node)', '(root)', 'tech'], to },
    ]);
    expect(differs(nodeLabels({ orgIdOf: NODES.orgIdOf }, [payload]))).toEqual([
      { field: 'positions', from: ['(another node)', '(another node)', '(another node)', '(root)'], to },
    ]);
  });
});
