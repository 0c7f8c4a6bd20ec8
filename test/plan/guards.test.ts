import { describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import { GuardTally } from '../../src/plan/guards.ts';
import { personChange, SYNC, unitChange } from './build.ts';

function tally(changes: readonly Change[], limits: Partial<typeof SYNC.guard> = {}): GuardTally {
  const guard = new GuardTally({ ...SYNC.guard, ...limits });
  for (const change of changes) guard.add(change);
  return guard;
}

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
    const at = { people: population, units: 10 };
    expect(tally(people(limit, LEAVER)).tripped(at)).toEqual([]);
    expect(tally(people(limit + 1, LEAVER)).tripped(at)).toMatchObject([
      { guard: 'leavers', count: limit + 1, limit },
    ]);
  });

  test('counts disables and removals together, and shows the first ten', () => {
    const changes = [...people(15, LEAVER), ...people(15, { kind: 'remove', guard: 'leavers' })];
    const [tripped] = tally(changes).tripped({ people: 100, units: 0 });
    expect(tripped).toMatchObject({ count: 30, limit: 20, percent: 5 });
    expect(tripped?.first).toEqual(Array.from({ length: 10 }, (_, n) => `u${n} (${n})`));
  });

  test('of joiners does not trip on the first load, and does after it', () => {
    const joiners = tally(people(10_000, {}));
    expect(joiners.tripped({ people: 0, units: 0 })).toEqual([]);
    expect(joiners.tripped({ people: 1, units: 0 })).toMatchObject([{ guard: 'joiners', limit: 200 }]);
  });

  test('of what vanished counts people and units on their own', () => {
    const changes: readonly Change[] = [
      ...people(20, { guard: 'gone' }),
      ...Array.from({ length: 21 }, (_, n) => unitChange(String(n), { guard: 'gone' })),
    ];
    const tripped = tally(changes).tripped({ people: 100, units: 100 });
    expect(tripped).toMatchObject([{ guard: 'gone', count: 21 }]);
    expect(tripped[0]?.first[0]).toBe('0 (0)');
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
    expect(tally(changes).tripped({ people: 10, units: 0 })).toMatchObject([
      { guard: 'emptied', count: 21, limit: 20 },
    ]);
  });

  test('with 0 and 0 trips at the first', () => {
    const [tripped] = tally([personChange('1', { guard: 'usernameReuse' })]).tripped({
      people: 1_000,
      units: 0,
    });
    expect(tripped).toMatchObject({ guard: 'usernameReuse', count: 1, limit: 0 });
  });

  test('does not count what no guard is for', () => {
    expect(tally(people(1_000, { kind: 'adopt', guard: null })).tripped({ people: 1, units: 0 })).toEqual([]);
  });
});
