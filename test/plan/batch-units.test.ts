import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foldName } from '../../src/domain/text/fold.ts';
import { batchUnits } from '../../src/plan/units/batch-units.ts';
import { unitChange } from './build.ts';

const named = (name: string, index: number, parent: string | null = null) =>
  unitChange(String(index), { name, payload: { fields: { name }, parent } });

function batchesOf(names: readonly string[], size: number): readonly (readonly string[])[] {
  const units = names.map((name, index) => named(name, index));
  return batchUnits(units, size).map((batch) => batch.map(({ name }) => name));
}

describe('imports of units', () => {
  test('never hold two siblings whose names are equal without case and blanks', () => {
    expect(batchesOf(['Team A', 'team a', 'TeamA', 'x'], 10)).toEqual([
      ['Team A', 'x'],
      ['team a'],
      ['TeamA'],
    ]);
    expect(batchesOf(['Straße', 'e\u0301', '\u00e9', 'a\u3000b', 'ab'], 10)).toHaveLength(2);
  });

  test('may hold units of one name below different parents', () => {
    expect(batchUnits([named('A', 1, 'x'), named('a', 2, 'y'), named('A', 3)], 10)).toHaveLength(1);
  });

  test('hold every unit once, whatever the names', () => {
    const name = fc.constantFrom('A', 'a', ' a', 'b', 'B ', 'c');
    fc.assert(
      fc.property(fc.array(name), fc.integer({ min: 1, max: 4 }), (names, size) => {
        const batches = batchesOf(names, size);
        expect(batches.flat().toSorted()).toEqual(names.toSorted());
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(size);
          expect(new Set(batch.map(foldName)).size).toBe(batch.length);
        }
      }),
    );
  });
});
