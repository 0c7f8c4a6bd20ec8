import { describe, expect, test } from 'vitest';
import {
  addedUp,
  decidedNow,
  describeHidden,
  vanishedIn,
  type DecidedBefore,
  type Deciding,
} from '../../src/domain/records/deciding.ts';

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
  { part: 'people', name: 'employeeType', had, of: 40 },
];

describe('a name that decides about people and that nobody has any more', () => {
  test.each<readonly [string, readonly DecidedBefore[], Deciding, number, object]>([
    ['that most had is hidden', before(36), now(0), 0, { hidden: 1 }],
    ['that few had is doubted', before(4), now(0), 0, { doubted: 1 }],
    ['that one person had may have gone with them', before(1), now(0), 1, {}],
    ['that somebody still has is there', before(36), now(1), 9, {}],
    ['that was never there is as it was', before(0), now(0), 9, {}],
    ['of a source that has no counts yet is as it is', [], now(0), 9, {}],
    ['of another part is another one', before(36), now(0, { part: 'partners' }), 9, {}],
    ['of another source is another one', before(36), now(0, { from: 'hr' }), 9, {}],
    ['of a part that brought nobody says nothing', before(36), now(0, { decoded: 0 }), 9, {}],
    [
      'is there where somebody is recognized who had it',
      before(36),
      now(0, { decoded: 4, recognized: 36 }),
      4,
      {},
    ],
    [
      'where all who had it were decoded: all are decoded',
      before(36),
      now(0, { decoded: 37, recognized: 3 }),
      0,
      { isOpen: true },
    ],
    [
      'of few, where nobody would be enabled for it',
      before(2),
      now(0, { decoded: 5, recognized: 35 }),
      1,
      {},
    ],
    [
      'of few, where several would be enabled for it',
      before(2),
      now(0, { decoded: 5, recognized: 35 }),
      2,
      { isOpen: true },
    ],
  ])('%s', (_, ...[known, one, turned, expected]) => {
    const { hidden, doubted, isOpen } = vanishedIn(known, [one], turned);
    const told = { hidden: hidden.length, doubted: doubted.length, isOpen };
    expect(told).toEqual({ hidden: 0, doubted: 0, isOpen: false, ...expected });
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
        'now; give the reading account the right to read it; where it is gone for good, take it out of the rule',
    );
  });
});
