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
    ['an unknown unit', [inUnit('a'), inUnit('zzz')], 'unit "zzz" is unknown', false],
    ['a name of several units', [inUnit('same'), inUnit('a')], '"same" names several units', false],
    [
      'a unit that cannot be placed',
      [inUnit('bad')],
      'unit bad is left as it is: its parent "nowhere" is no unit of the source',
      false,
    ],
    ['only unknown units', [inUnit('q'), inUnit('p'), inUnit('q')], '2 units are unknown: p, q', true],
    [
      '10,000 unknown units',
      Array.from({ length: 10_000 }, (_, n) => inUnit(`z${n}`)),
      '10,000 units are unknown: z0, z1, z10 and 9,997 more',
      true,
    ],
    [
      'many units that cannot be used, and unknown ones',
      [...Array.from({ length: 10 }, (_, n) => inUnit(`bad${n}`)), inUnit('zz'), inUnit('z\nz')],
      '2 units are unknown: z\\nz, zz; unit bad0 is left as it is: its parent "nowhere" is no unit of the source; ' +
        'unit bad1 is left as it is: its parent "nowhere" is no unit of the source; and 8 more',
      false,
    ],
    ['none at all', [], 'it has no position, and the service requires one', true],
  ])('that name %s are a problem', (_, positions, problem, orphan) => {
    expect(place(...positions)).toMatchObject({ problem, orphan });
  });

  test.each([
    [['out'], 'unit "out" is out of scope by source.units.where', true],
    [['out', 'off'], '2 units are out of scope by source.units.where: off, out', true],
    [['out', 'zzz', 'a'], 'unit "zzz" is unknown; unit "out" is out of scope by source.units.where', false],
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
