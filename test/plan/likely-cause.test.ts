import { expect, test } from 'vitest';
import type { HeldPerson } from '../../src/domain/ports/ledger/plan-book.ts';
import { Crowd, describeCause, likelyCause } from '../../src/plan/words/likely-cause.ts';
import { UnitsAbove } from '../../src/plan/units/units-above.ts';
import { treeOf, unit } from './build.ts';

const NAMES = { hq: 'All', sales: 'Sales', north: 'North', lab: 'Lab' };
const ABOVE = new UnitsAbove([], treeOf([unit('hq'), unit('sales', 'hq'), unit('north', 'sales')]));
const MISSING: Pick<HeldPerson, 'fields' | 'why'> = {
  fields: [],
  why: { code: 'missed', values: { how: 'missing', reads: 2 } },
};
const RENAMED = { fields: ['name'], why: { code: 'changed' } } as const;

/** So many people in a unit, and where they come from. */
type Group = readonly [count: number, unit: string, base?: string];

/** The words for what so many held people have in common, beside so many others. */
function causeOf(held: readonly Group[], others: readonly Group[], change = MISSING): string | null {
  const crowds = { held: new Crowd(ABOVE), heldAtWork: new Crowd(ABOVE), atWork: new Crowd(ABOVE) };
  for (const [groups, isHeld] of [[held, true] as const, [others, false] as const])
    for (const [count, at, base = null] of groups)
      for (let n = 0; n < count; n += 1) {
        crowds.atWork.add({ units: [at], base });
        if (!isHeld) continue;
        crowds.heldAtWork.add({ units: [at], base });
        crowds.held.add({ units: [at], base }, change);
      }
  const cause = likelyCause(crowds);
  const words = { labels: new Map(Object.entries(NAMES)), isThere: (id: string) => id !== 'lab' };
  return cause === null ? null : describeCause(cause, words);
}

test.each<readonly [why: string, held: readonly Group[], others: readonly Group[], told: string | null]>([
  [
    'a unit that 80 % of the held and 20 % of the others have',
    [
      [8, 'lab'],
      [2, 'hq'],
    ],
    [
      [20, 'lab'],
      [80, 'hq'],
    ],
    '8 of the 10, and 20 of the 100 others: in Lab, which is gone as well',
  ],
  [
    'fewer of the held have it',
    [
      [7, 'lab'],
      [3, 'hq'],
    ],
    [[100, 'hq']],
    'All 10: missing in the source',
  ],
  [
    'more of the others have it',
    [[10, 'lab']],
    [
      [21, 'lab'],
      [79, 'hq'],
    ],
    'All 10: missing in the source',
  ],
  [
    'a unit with what is below it',
    [
      [5, 'sales'],
      [5, 'north'],
    ],
    [[90, 'lab']],
    'All 10, and none of the 90 others: in Sales',
  ],
  [
    'the larger difference is the better one',
    [
      [9, 'lab', 'hr'],
      [1, 'north', 'hr'],
    ],
    [[90, 'north', 'ad']],
    'All 10, and none of the 90 others: brought by hr',
  ],
  ['two records have nothing in common', [[2, 'lab']], [[100, 'hq']], null],
  ['there are no others', [[20, 'lab']], [], null],
])('the likely cause: %s', (_, held, others, told) => {
  expect(causeOf(held, others)).toBe(told);
});

test('a field that changes is a reason', () => {
  expect(causeOf([[10, 'hq']], [[90, 'hq']], RENAMED)).toMatch(/^All 10: .* name$/u);
});
