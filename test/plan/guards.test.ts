import { describe, expect, test } from 'vitest';

import { bucketsOf, type Change } from '../../src/domain/changes.ts';
import {
  GuardTally,
  withoutHeld,
  type Counted,
  type GuardSituation,
  type Population,
} from '../../src/plan/guards.ts';
import { personChange, SYNC, unitChange } from './build.ts';

/** Wide enough for small numbers of records to stay below. */
const TWENTY = { percent: 5, count: 20 };
const LIMITS = { ...SYNC.guard, leavers: TWENTY, emptied: TWENTY, gone: TWENTY };

function tally(changes: readonly Change[], limits: Partial<typeof SYNC.guard> = {}): GuardTally {
  const guard = new GuardTally({ ...LIMITS, ...limits });
  for (const [index, change] of changes.entries())
    addTo(guard, change, { digest: `digest ${index}`, approved: false });
  return guard;
}

function addTo(guard: GuardTally, change: Change, counted: Counted): void {
  for (const bucket of bucketsOf(change)) guard.add(change, bucket, counted);
}

const situation = (population: Population, more: Partial<GuardSituation> = {}): GuardSituation => ({
  population,
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

  test('counts disables and removals together, and shows the first ten', () => {
    const changes = [...people(15, LEAVER), ...people(15, { kind: 'remove', guard: 'leavers' })];
    const [tripped] = tally(changes).tripped(situation({ people: 100, units: 0 }));
    expect(tripped).toMatchObject({ count: 30, limit: 20, percent: 5 });
    expect(tripped?.first).toEqual(Array.from({ length: 10 }, (_, n) => `u${n} (${n})`));
  });

  test('of what vanished counts people and units on their own', () => {
    const changes: readonly Change[] = [
      ...people(20, { guard: 'gone' }),
      ...Array.from({ length: 21 }, (_, n) => unitChange(String(n), { guard: 'gone' })),
    ];
    const tripped = tally(changes).tripped(situation({ people: 100, units: 100 }));
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
    expect(tally(changes).tripped(situation({ people: 10, units: 0 }))).toMatchObject([
      { guard: 'emptied', count: 21, limit: 20 },
    ]);
  });

  test('with 0 and 0 trips at the first', () => {
    const [tripped] = tally([personChange('1', { guard: 'usernameReuse' })]).tripped(
      situation({ people: 1_000, units: 0 }),
    );
    expect(tripped).toMatchObject({ guard: 'usernameReuse', count: 1, limit: 0 });
  });

  test('does not count what no guard is for', () => {
    expect(
      tally(people(1_000, { kind: 'adopt', guard: null })).tripped(situation({ people: 1, units: 0 })),
    ).toEqual([]);
  });

  test('counts what was applied before along, and names only what is held now', () => {
    const at = situation({ people: 100, units: 0 }, { applied: new Map([['leavers person', 20]]) });
    expect(tally(people(1, LEAVER)).tripped(at)).toMatchObject([
      { count: 1, limit: 20, digests: ['digest 0'] },
    ]);
  });

  test('does not hold what is approved, and counts it beside what is not', () => {
    const guard = new GuardTally(LIMITS);
    for (const change of people(20, LEAVER)) addTo(guard, change, { digest: 'approved', approved: true });
    expect(guard.tripped(situation({ people: 100, units: 0 }))).toEqual([]);
    addTo(guard, personChange('late', LEAVER), { digest: 'late', approved: false });
    expect(guard.tripped(situation({ people: 100, units: 0 }))).toMatchObject([{ digests: ['late'] }]);
  });
});

describe('what a guard holds of a change', () => {
  const update = personChange('1', {
    kind: 'update',
    guard: 'updates',
    payload: { fields: { name: 'New', email: null }, positions: [] },
    fields: [
      { field: 'name', from: 'Old', to: 'New' },
      { field: 'email', from: 'a@b', to: null },
    ],
  });

  test('is nothing where no guard tripped', () => {
    expect(withoutHeld(update, [])).toBe(update);
  });

  test('is all of it under its own guard', () => {
    expect(withoutHeld(update, ['updates person', 'emptied person email'])).toBeNull();
  });

  test('is the emptied field alone, which keeps its old value', () => {
    const rest = withoutHeld(update, ['emptied person email']);
    expect(rest?.fields).toEqual([{ field: 'name', from: 'Old', to: 'New' }]);
    expect(rest?.payload.fields).toEqual({ name: 'New', email: 'a@b' });
  });

  test('is the whole update where nothing else is left', () => {
    const only = { ...update, fields: update.fields.slice(1) };
    expect(withoutHeld(only, ['emptied person email'])).toBeNull();
  });
});
