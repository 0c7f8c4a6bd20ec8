import { expect, test } from 'vitest';
import type { PersonPayload } from '../../src/domain/records/payload.ts';
import { openScene } from './open-scene.ts';
import { LONG, payload, staged } from './records.ts';

/** A place in each of these units. */
const within = (...units: readonly string[]): PersonPayload => ({
  ...payload(),
  positions: units.map((unit) => ({ unit, fields: {} })),
});

/** People who were sent to unit `LONG`; one is seen unchanged, the others are read anew, as named. */
function afterARead() {
  const scene = openScene('renames').managed('same', 'here', 'there', 'both', 'left', 'gone');
  scene.ledger.staging.seen(scene.ledger.staging.known('same')?.row ?? -1, { print: null, spot: null });
  scene.read(
    staged('here', { payload: within(LONG) }),
    staged('there', { payload: within('n') }),
    staged('both', { payload: within('m', 'n') }),
    staged('left', { payload: within('n'), active: false }),
    staged('unknown', { payload: within('n'), active: null }),
    staged('joiner', { payload: within(LONG, 'n') }),
  );
  return scene.ledger;
}

test('who was in a unit is told by where they are now: who has left is nowhere', () => {
  const { staging } = afterARead();
  expect(staging.movedFrom(['other'])).toEqual([]);
  const moved = staging.movedFrom([LONG]).map(({ from, to, people }) => [from === LONG, to, people]);
  expect(moved.toSorted((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1))).toEqual([
    [true, LONG, 1],
    [true, 'm', 1],
    [true, 'n', 2],
    [true, null, 3],
  ]);
});

test('who is in a unit now counts once, also where the record is unchanged, and not where it says left', () => {
  const { staging } = afterARead();
  expect(Object.fromEntries(staging.joinedTo(['n', LONG, 'z']))).toEqual({ [LONG]: 3, n: 4 });
});

test('people of a unit that waits are put into the old one, and compared anew by the next read', () => {
  const ledger = afterARead();
  ledger.staging.replaceUnits(new Map([['n', 'a']]));
  ledger.people.prepare([]);
  const desired = (id: string) => {
    const row = ledger.people.row(id).desired;
    return typeof row === 'object' && row !== null
      ? [row.payload.positions.map(({ unit }) => unit), row.hash]
      : row;
  };
  expect(desired('both')).toEqual([['a', 'm'], 'held hash both']);
  expect(desired('joiner')).toEqual([[LONG, 'a'], 'held hash joiner']);
  expect(desired('here')).toEqual([[LONG], 'hash here']);
  expect(desired('same')).toBe('unchanged');
});
