import { describe, expect, test } from 'vitest';
import {
  addedUp,
  decidedNow,
  describeHidden,
  vanishedIn,
  type DecidedBefore,
  type Deciding,
} from '../../../src/domain/reading/deciding.ts';

const now = (had: number, more: Partial<Deciding> = {}): Deciding => ({
  part: 'people',
  name: 'employeeType',
  places: ['source.people.fields.active'],
  had,
  decoded: 40,
  recognized: 0,
  ...more,
});
const before = (had: number): readonly DecidedBefore[] => [
  { part: 'people', name: 'employeeType', had, of: 40, places: ['source.people.fields.active'] },
];

interface Case {
  readonly why: string;
  readonly known: readonly DecidedBefore[];
  readonly one: Deciding;
  readonly turned: number;
  readonly expected: { readonly hidden?: number; readonly doubted?: number; readonly open?: number };
}

describe('a name that decides about people and that nobody has any more', () => {
  test.each<Case>([
    { why: 'that most had is hidden', known: before(36), one: now(0), turned: 0, expected: { hidden: 1 } },
    { why: 'that few had is doubted', known: before(4), one: now(0), turned: 0, expected: { doubted: 1 } },
    {
      why: 'that one person had may have gone with them',
      known: before(1),
      one: now(0),
      turned: 1,
      expected: {},
    },
    {
      why: 'that fewer can have lost than several reads found is looked for in everybody, where several would turn',
      known: before(4),
      one: now(0, { decoded: 3, recognized: 37 }),
      turned: 3,
      expected: { open: 1 },
    },
    { why: 'that somebody still has is there', known: before(36), one: now(1), turned: 9, expected: {} },
    { why: 'that was never there is as it was', known: before(0), one: now(0), turned: 9, expected: {} },
    {
      why: 'of a source that has no counts yet is as it is',
      known: [],
      one: now(0),
      turned: 9,
      expected: {},
    },
    {
      why: 'of another part is another one',
      known: before(36),
      one: now(0, { part: 'partners' }),
      turned: 9,
      expected: {},
    },
    {
      why: 'of another source is another one',
      known: before(36),
      one: now(0, { from: 'hr' }),
      turned: 9,
      expected: {},
    },
    {
      why: 'of a part that brought nobody says nothing',
      known: before(36),
      one: now(0, { decoded: 0 }),
      turned: 9,
      expected: {},
    },
    {
      why: 'is there where somebody is recognized who had it, and nobody turns',
      known: before(36),
      one: now(0, { decoded: 4, recognized: 36 }),
      turned: 0,
      expected: {},
    },
    {
      why: 'is looked for in all where somebody turns: fewer may have had it than was counted',
      known: before(36),
      one: now(0, { decoded: 4, recognized: 36 }),
      turned: 1,
      expected: { open: 1 },
    },
    {
      why: 'where all who had it were decoded: all are decoded',
      known: before(36),
      one: now(0, { decoded: 37, recognized: 3 }),
      turned: 0,
      expected: { open: 1 },
    },
    {
      why: 'of few, where nobody would be enabled for it',
      known: before(2),
      one: now(0, { decoded: 5, recognized: 35 }),
      turned: 1,
      expected: {},
    },
    {
      why: 'of few, where several would be enabled for it',
      known: before(2),
      one: now(0, { decoded: 5, recognized: 35 }),
      turned: 2,
      expected: { open: 1 },
    },
  ])('$why', ({ known, one, turned, expected }) => {
    const { hidden, doubted, open } = vanishedIn(known, [one], turned);
    const told = { hidden: hidden.length, doubted: doubted.length, open: open.length };
    expect(told).toEqual({ hidden: 0, doubted: 0, open: 0, ...expected });
  });

  test('keeps its count for as long as it is gone', () => {
    const gone = now(0);
    expect(decidedNow(before(36), [gone], [gone])).toEqual(before(36));
    expect(decidedNow(before(36), [gone], [])).toEqual(before(0));
  });

  test('is counted anew only where everybody was decoded', () => {
    expect(decidedNow(before(36), [now(1, { decoded: 2, recognized: 38 })], [])).toEqual(before(36));
    expect(decidedNow(before(36), [now(30)], [])).toEqual(before(30));
    expect(decidedNow(before(36), [], [])).toEqual([]);
  });

  test('is counted over all lists of a source', () => {
    expect(addedUp([now(3), now(0), now(1, { from: 'hr' })])).toEqual([
      now(3, { decoded: 80 }),
      now(1, { from: 'hr' }),
    ]);
  });

  test('is told with its source and what to do', () => {
    const { part, name, places } = now(0);
    expect(describeHidden({ part, name, places, suggestion: null, from: 'hr' })).toBe(
      'hr.employeeType (source.people.fields.active): most people had it in the last complete read, and nobody has it ' +
        'now; have it filled in again, or, where it is hidden from the reading account, give it the right; where it is gone for good, take it out of the rule',
    );
  });
});
