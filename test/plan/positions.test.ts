import { describe, expect, test } from 'vitest';

import type { Fields } from '../../src/domain/records/fields.ts';
import type { Position } from '../../src/domain/records/records.ts';
import { placePositions, withPrimary } from '../../src/plan/people/positions.ts';
import { buildTree } from '../../src/plan/units/tree.ts';
import { at, treeOf, unit } from './build.ts';

const tree = treeOf([
  { id: 'a', refs: ['a', 'code-a'], parent: null, fields: { name: 'A' } },
  unit('b'),
  unit('bad', 'nowhere'),
  ...Array.from({ length: 10 }, (_, n) => unit(`bad${n}`, 'nowhere')),
  { id: 'x', refs: ['x', 'same'], parent: null, fields: { name: 'X' } },
  { id: 'y', refs: ['y', 'same'], parent: null, fields: { name: 'Y' } },
]);
const inUnit = (ref: string | null, fields: Fields = {}): Position => ({ unit: ref, fields });

/** In the order of the source and in the other one: the same. */
function place(...positions: readonly Position[]) {
  const placed = placePositions(positions, tree);
  expect(placePositions(positions.toReversed(), tree)).toEqual(placed);
  return placed;
}

describe('positions', () => {
  test('are a set by unit, in the order of the ids, the root first', () => {
    expect(place(inUnit('b'), inUnit(null), inUnit('a')).positions).toEqual([at(null), at('a'), at('b')]);
  });

  test('in one unit under two of its names are one: a mark wins over none, of two texts the lower', () => {
    const clerk = inUnit('a', { job_title: 'Clerk', primary: false, chief: null });
    const head = inUnit('code-a', { job_title: 'Head', primary: true, chief: null, source_type: 'x' });
    expect(place(clerk, head).positions).toEqual([
      at('a', { job_title: 'Clerk', primary: true, chief: null, source_type: 'x' }),
    ]);
  });

  test.each([
    ['an unknown unit', [inUnit('zzz')], 'unit "zzz" is unknown', true],
    ['a name of several units', [inUnit('same')], '"same" names several units', false],
    ['a unit that cannot be placed', [inUnit('bad')], 'unit bad is skipped', false],
    [
      '10,000 unknown units',
      Array.from({ length: 10_000 }, (_, n) => inUnit(`z${n}`)),
      '10,000 units are unknown: z0, z1, z10 and 9,997 more',
      true,
    ],
    [
      'many units that cannot be used, and unknown ones',
      [...Array.from({ length: 10 }, (_, n) => inUnit(`bad${n}`)), inUnit('zz'), inUnit('z\nz')],
      '2 units are unknown: z\\nz, zz; unit bad0 is skipped; unit bad1 is skipped; and 8 more',
      false,
    ],
    [
      'none at all',
      [],
      'has no unit, and the service requires one: correct the source, exclude the record, or set sync.orphans: root',
      true,
    ],
  ])('that name %s are a problem', (_, positions, problem, orphan) => {
    expect(place(...positions)).toMatchObject({ problem, orphan });
  });

  test.each([
    ['zzz', 'unit "zzz" is unknown'],
    ['same', '"same" names several units'],
    ['bad', 'unit bad is skipped'],
  ])('a reference as %s costs only itself where another one can be used', (ref, lost) => {
    expect(place(inUnit('a'), inUnit(ref))).toEqual({
      positions: [at('a')],
      unusable: [ref],
      problem: null,
      lost,
      orphan: false,
    });
  });

  test.each([
    ['1.0', '; "1" is there: the export has turned ids into numbers'],
    ['sales eu', '; "Sales EU" is there: capitals and blanks have to be the same'],
    ['8.6138E+12', '; it is a number that the export has rounded: export the column as text'],
    ['2', ''],
  ])('a near miss as %j names what is there', (ref, words) => {
    const units = ['1', '00100', 'Sales EU'].map((id) => unit(id));
    const near = treeOf([...units, unit('below', ref)]);
    const problem = placePositions([inUnit(ref)], near).problem ?? '';
    expect(problem).toContain(` "${ref}" `);
    expect(problem.replace(/^[^;]*/u, '')).toBe(words);
    expect(near.problems.get('below')).toEqual({
      code: 'parentUnknown',
      values: { parent: ref, near: words },
    });
  });

  test.each([
    [['out'], 'unit "out" is out of scope by source.units.where', true],
    [['out', 'off'], '2 units are out of scope by source.units.where: off, out', true],
    [['out', 'zzz'], 'unit "zzz" is unknown; unit "out" is out of scope by source.units.where', true],
  ])('that name %s, left out by a condition, say so', (refs, problem, orphan) => {
    const scoped = buildTree({ units: [unit('a')], refusals: [], outside: ['out', 'off', 'a'], root: null });
    const positions = refs.map((ref) => inUnit(ref));
    expect(placePositions(positions, scoped)).toMatchObject({ problem, orphan });
  });

  test('that name the unit that stands for the root are in the root', () => {
    const rooted = treeOf([unit('r'), unit('a', 'r')], 'r');
    expect(placePositions([inUnit('r'), inUnit(null)], rooted)).toEqual({
      positions: [at(null)],
      problem: null,
      lost: null,
      orphan: false,
    });
  });
});

const primaryOf = (...args: Parameters<typeof withPrimary>) =>
  withPrimary(...args).flatMap(({ unit: id, fields }) => (fields['primary'] === true ? [id] : []));

describe('the primary position', () => {
  const P = { primary: true };
  test.each([
    ['the marked one', [at('a'), at('b', P)], [at('a', P)], 'b'],
    ['of several marked the lowest unit id', [at('a'), at('b', P), at('c', P)], [at('c', P)], 'b'],
    ['else the one that was primary', [at('a'), at('b')], [at('a'), at('b', P)], 'b'],
    ['else the lowest', [at('a'), at('b')], [at('c', P)], 'a'],
    ['the root, where it was', [at(null), at('b')], [at(null, P)], null],
  ])('is %s', (_, positions, before, expected) => {
    expect(primaryOf(positions, before)).toEqual([expected]);
  });

  test('is nobody’s where there is no position', () => {
    expect(withPrimary([], [])).toEqual([]);
  });
});
