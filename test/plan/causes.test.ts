import { describe, expect, test } from 'vitest';
import type { Individual } from '../../src/domain/ports/ledger/plan-book.ts';
import {
  personTraits,
  SharedTraits,
  type Cause,
  type TraitKey,
} from '../../src/plan/causes/shared-traits.ts';
import { UnitsAbove } from '../../src/plan/units/units-above.ts';
import { describeCause, type CauseWords } from '../../src/plan/words/describe-cause.ts';
import { at, personChange, treeOf, unit } from './build.ts';

const ABOVE = new UnitsAbove([], treeOf([unit('all'), unit('sales', 'all'), unit('north', 'sales')]));

describe('what a person can have in common with others', () => {
  const one: Individual = {
    id: '1',
    username: 'ann',
    payload: {
      fields: { name: 'Ann', email: 'ann@Example.com', mobile: '+49 30 1', city: 'Kiel' },
      positions: [at('north', { job_title: 'Clerk' })],
    },
    base: 'sources.hr',
    isDisabled: false,
    buckets: [],
    change: null,
  };
  const RECORD = ['unit north', 'unit sales', 'unit all', 'base sources.hr', 'domain example.com'];
  const field = { from: 'a', to: 'b' };

  test.each([
    ['is no value of one person', {}, []],
    [
      'is why it leaves',
      { why: 'missing in the source (2 complete reads)' },
      ['status missing in the source'],
    ],
    ['are the fields that change, by name alone', { fields: [{ field: 'name', ...field }] }, ['change name']],
    ['is no field that turns empty', { fields: [{ field: 'email', from: 'a@b.example', to: null }] }, []],
  ] as const)('%s', (_, parts, more) => {
    const isHeld = Object.keys(parts).length > 0;
    const change = isHeld ? personChange('1', { fields: [], ...parts }) : null;
    expect([...personTraits({ ...one, change }, ABOVE)]).toEqual([...RECORD, ...more]);
  });
});

describe('the likely cause', () => {
  const TRAITS: Readonly<Record<string, TraitKey>> = {
    A: 'unit a',
    B: 'domain b.example',
    C: 'status missing in the source',
  };

  /** By the traits that they have: so many held records, and others. */
  type Groups = Readonly<Record<string, readonly [held: number, others: number]>>;

  function causeOf(groups: Groups): Cause | null {
    const sets = Object.entries(groups).map(([has, [held, others]]) => ({
      traits: new Set(Object.keys(TRAITS).flatMap((one) => (has.includes(one) ? [TRAITS[one]!] : []))),
      held,
      others,
    }));
    const held = sets.flatMap((one) => Array.from({ length: one.held }, () => one.traits));
    const others = sets.flatMap((one) => Array.from({ length: one.others }, () => one.traits));
    const shared = new SharedTraits(held);
    for (const traits of held) shared.add(traits, true);
    for (const traits of others) shared.add(traits, false);
    return shared.cause();
  }

  test.each<readonly [why: string, groups: Groups, told: readonly unknown[] | null]>([
    ['80 % of the held and 20 % of the others have it', { A: [8, 20], none: [2, 80] }, ['a', 8, 10, 20, 100]],
    ['fewer of the held have it', { A: [7, 0], none: [3, 100] }, null],
    ['more of the others have it', { A: [10, 21], none: [0, 79] }, null],
    ['two records have nothing in common', { A: [2, 0], none: [0, 100] }, null],
    ['there are no others', { A: [20, 0] }, null],
    [
      'the larger difference is the better one',
      { AB: [9, 0], B: [1, 0], none: [0, 90] },
      ['b.example', 10, 10, 0, 90],
    ],
    ['of equal ones the unit is told', { AB: [10, 0], none: [0, 90] }, ['a', 10, 10, 0, 90]],
    [
      'the change is told where the records share nothing',
      { AC: [5, 0], C: [5, 0], none: [0, 90] },
      ['missing in the source', 10, 10, 0, 90],
    ],
    [
      'what the records share is told before the change',
      { AC: [9, 9], C: [1, 0], none: [0, 81] },
      ['a', 9, 10, 9, 90],
    ],
  ])('%s', (_, groups, told) => {
    const cause = causeOf(groups);
    expect(cause && [cause.value, cause.held, cause.of, cause.others, cause.ofOthers]).toEqual(told);
  });
});

test.each([
  ['unit', 'sales', '18 of the 19, and 1 of the 1,381 others: in Sales'],
  ['unit', 'lab', '18 of the 19, and 1 of the 1,381 others: in Lab, which is gone as well'],
  ['base', 'sources.hr', '18 of the 19, and 1 of the 1,381 others: brought by sources.hr'],
  ['domain', 'a.example', '18 of the 19, and 1 of the 1,381 others: with an email at a.example'],
  ['change', 'name', '18 of the 19: change of name'],
  ['status', 'follows the move of sales', '18 of the 19: follows the move of Sales'],
] as const)('the words for %s %s', (what, value, text) => {
  const labels = new Map([
    ['sales', 'Sales'],
    ['lab', 'Lab'],
  ]);
  const words: CauseWords = { labels, isThere: (id) => id === 'sales' };
  expect(describeCause({ what, value, held: 18, of: 19, others: 1, ofOthers: 1_381 }, words)).toBe(text);
});
