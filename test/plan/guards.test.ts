import { describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import type { GuardLimits } from '../../src/domain/guards.ts';
import type { BucketCount } from '../../src/domain/ports/ledger/plan-book.ts';
import {
  trippedBy,
  type GuardSituation,
  type Population,
  type Tripped,
} from '../../src/plan/changes/guards.ts';
import { plannedOf } from '../../src/plan/changes/change-digest.ts';
import { personChange, SYNC, unitChange } from './build.ts';

/** Wide enough for small numbers of records to stay below. */
const TWENTY = { percent: 5, count: 20 };
const LIMITS = { ...SYNC.guard, leavers: TWENTY, emptied: TWENTY, gone: TWENTY };

function bucketsIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => plannedOf(change).counted.map(({ bucket }) => bucket));
}

/** As the plan book counts them. */
function countsOf(changes: readonly Change[], approved: readonly Change[] = []): readonly BucketCount[] {
  const [open, released] = [bucketsIn(changes), bucketsIn(approved)];
  return [...new Set([...open, ...released])].map((bucket) => ({
    bucket,
    open: open.filter((one) => one === bucket).length,
    approved: released.filter((one) => one === bucket).length,
  }));
}

interface Tally {
  readonly tripped: (situation: GuardSituation) => readonly Tripped[];
}

function tally(changes: readonly Change[], limits: Partial<GuardLimits> = {}): Tally {
  return { tripped: (at) => trippedBy(countsOf(changes), { ...LIMITS, ...limits }, at) };
}

const situation = (population: Population, more: Partial<GuardSituation> = {}): GuardSituation => ({
  population,
  inPart: () => 0,
  adopted: { people: 0, units: 0 },
  applied: new Map(),
  ...more,
});

const people = (count: number, options: Parameters<typeof personChange>[1]) =>
  Array.from({ length: count }, (_, n) => personChange(String(n), options));
const emptied = (field: string) => [{ field, from: 'x', to: null }];
const LEAVER = { kind: 'disable', guard: 'leavers' } as const;

describe('a guard', () => {
  test.each([
    ['the count, where it is the larger', 100, 20],
    ['the percentage, where it is the larger', 1_000, 50],
    ['the percentage rounded down', 1_019, 50],
  ])('trips strictly above %s', (_, population, limit) => {
    const at = situation({ people: population, units: 10 });
    expect(tally(people(limit, LEAVER)).tripped(at)).toEqual([]);
    expect(tally(people(limit + 1, LEAVER)).tripped(at)).toMatchObject([
      { guard: 'leavers', count: limit + 1, limit },
    ]);
  });

  test('counts disables and removals together', () => {
    const changes = [...people(15, LEAVER), ...people(15, { kind: 'remove', guard: 'leavers' })];
    const [tripped] = tally(changes).tripped(situation({ people: 100, units: 0 }));
    expect(tripped).toMatchObject({ count: 30, limit: 20, of: { base: 100, percent: 5 } });
  });

  test('of what vanished counts people and units on their own', () => {
    const changes: readonly Change[] = [
      ...people(20, { guard: 'gone' }),
      ...Array.from({ length: 21 }, (_, n) => unitChange(String(n), { guard: 'gone' })),
    ];
    const tripped = tally(changes).tripped(situation({ people: 100, units: 100 }));
    expect(tripped).toMatchObject([{ guard: 'gone', bucket: 'gone unit', count: 21 }]);
  });

  test('of emptied fields counts each field on its own, and no creations', () => {
    const changes = [
      ...people(20, { kind: 'update', guard: null, fields: emptied('tel') }),
      ...people(21, {
        kind: 'update',
        guard: null,
        fields: [...emptied('mobile'), { field: 'fax', from: null, to: 'x' }],
      }),
      ...people(50, { kind: 'create', guard: null, fields: emptied('email') }),
    ];
    expect(tally(changes).tripped(situation({ people: 100, units: 0 }))).toMatchObject([
      { guard: 'emptied', count: 21, limit: 20 },
    ]);
  });

  test.each([
    ['a source', { broughtBy: 'b1' }, 'source'],
    ['a unit', { unitsAbove: ['b1'] }, 'unit'],
  ])('of emptied fields holds more than half of %s, and counts who lost it before', (_, where, is) => {
    const lose = { kind: 'update', guard: null, fields: emptied('tel'), ...where } as const;
    const inPart = (part: { is: string; name: string }) => (part.is === is && part.name === 'b1' ? 6 : 0);
    const at = (applied: number) =>
      situation(
        { people: 1_000, units: 9 },
        { inPart, applied: new Map([[`emptied person tel\n${is} b1`, applied]]) },
      );
    expect(tally(people(3, lose)).tripped(at(0))).toEqual([]);
    expect(tally(people(4, lose)).tripped(at(0))).toMatchObject([{ count: 4, limit: 3, of: { base: 6 } }]);
    expect(tally(people(2, lose)).tripped(at(2))).toMatchObject([{ count: 2, limit: 3, of: { applied: 2 } }]);
    expect(tally(people(51, lose)).tripped(at(0))).toMatchObject([{ bucket: 'emptied person tel' }]);
  });

  test('counts what was applied before along', () => {
    const at = situation({ people: 100, units: 0 }, { applied: new Map([['leavers person', 20]]) });
    expect(tally(people(1, LEAVER)).tripped(at)).toMatchObject([
      { count: 1, limit: 20, of: { applied: 20 } },
    ]);
  });

  test('does not hold what is approved, and does not count it', () => {
    const at = situation({ people: 100, units: 0 });
    const approved = people(20, LEAVER);
    expect(trippedBy(countsOf([], approved), LIMITS, at)).toEqual([]);
    expect(trippedBy(countsOf([personChange('late', LEAVER)], approved), LIMITS, at)).toEqual([]);
  });
});

describe('more than half of all', () => {
  const LOOSE = { percent: 30, count: 1_000 };
  const KINDS = ['leavers', 'updates', 'gone', 'joiners'] as const;
  const tripping = (guard: (typeof KINDS)[number], count: number, size: number) =>
    tally(people(count, { kind: 'update', guard }), { [guard]: LOOSE }).tripped(
      situation({ people: size, units: 0 }),
    );

  test.each([
    [1, 1, 0],
    [2, 2, 0],
    [3, 2, 0],
    [3, 3, 2],
    [4, 2, 0],
    [4, 3, 2],
    [6, 3, 0],
    [40, 20, 0],
    [40, 21, 20],
  ])('of %i people trips from 3 on, whatever the floor: %i, above %i', (size, count, limit) => {
    for (const guard of ['leavers', 'updates', 'gone'] as const)
      expect(tripping(guard, count, size).map((one) => one.limit)).toEqual(limit === 0 ? [] : [limit]);
  });

  test.each([
    [4, 4, 0],
    [100, 101, 100],
  ])('of those who are there then: %i people and %i joiners', (size, count, limit) => {
    expect(tripping('joiners', count, size).map((one) => one.limit)).toEqual(limit === 0 ? [] : [limit]);
  });

  test('is nothing where nobody is managed yet: the floor alone holds', () => {
    expect(tripping('joiners', 15, 0)).toEqual([]);
    expect(tripping('joiners', 1_001, 0)).toHaveLength(1);
  });

  test('may change where `off` says that all may', () => {
    const all = tally(people(5, LEAVER), { leavers: { percent: 100, count: 0 } });
    expect(all.tripped(situation({ people: 5, units: 0 }))).toEqual([]);
  });
});

describe('the default guards of a company of 1 to 10', () => {
  test.each(Array.from({ length: 8 }, (_, index) => index + 3))(
    'hold that all of %i leave or lose a field',
    (size) => {
      const all = [
        ...people(size, LEAVER),
        ...people(size, { kind: 'update', guard: null, fields: emptied('tel') }),
      ];
      const tripped = tally(all, SYNC.guard).tripped(situation({ people: size, units: 1 }));
      expect(tripped.map(({ guard: name }) => name)).toEqual(['leavers', 'emptied']);
    },
  );
});

const adopting = (all: number, changing: number, before = 0) =>
  tally(people(changing, { kind: 'adopt', guard: 'adopted' }), SYNC.guard).tripped(
    situation({ people: before, units: 0 }, { adopted: { people: before + all, units: 0 } }),
  );

describe('adoptions are measured by all that are adopted', () => {
  test.each([
    [10_000, 300, 0],
    [10_000, 501, 500],
    [60, 5, 0],
    [60, 42, 5],
    [4, 3, 2],
    [2, 2, 0],
  ])('%i adopted, %i of them would change', (all, changing, limit) => {
    expect(adopting(all, changing).map((one) => one.limit)).toEqual(limit === 0 ? [] : [limit]);
  });

  test('a first load that was interrupted is one load', () => {
    expect(adopting(100, 200, 9_900)).toEqual([]);
  });
});
