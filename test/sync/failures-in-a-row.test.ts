import { expect, test } from 'vitest';
import type { Change } from '../../src/domain/changes.ts';
import { FailuresInARow } from '../../src/sync/state/world.ts';
import { personChange } from '../plan/build.ts';

const call = (...ids: readonly string[]): readonly Change[] => ids.map((id) => personChange(id));

/** How many of the calls fail before the run ends; `null` is a call that was answered. */
function count(...calls: readonly (readonly Change[] | null)[]): number {
  const failures = new FailuresInARow();
  for (const [index, changes] of calls.entries()) {
    try {
      if (changes === null) failures.answered();
      else failures.failed(changes, 'HTTP 500.');
    } catch {
      return index + 1;
    }
  }
  return Number.POSITIVE_INFINITY;
}

test('the fifth different call ends the run, and its words are told', () => {
  const failures = new FailuresInARow();
  for (const id of ['1', '2', '3', '4']) failures.failed(call(id), 'no');
  expect(() => failures.failed(call('5'), 'POST /x: HTTP 500.')).toThrow(
    /failed 5 different calls in a row.*The last: POST \/x: HTTP 500\./u,
  );
});

test('any answer starts anew', () => {
  const four = ['1', '2', '3', '4'].map((id) => call(id));
  expect(count(...four, null, call('5'), ...four.slice(1))).toBe(Number.POSITIVE_INFINITY);
  expect(count(...four, null, call('5'), ...four)).toBe(10);
});

test('one call that fails again, whole or in halves, is one', () => {
  const batch = call('1', '2', '3', '4', '5', '6', '7', '8');
  expect(count(batch, batch, batch, batch, batch, batch)).toBe(Number.POSITIVE_INFINITY);
  expect(count(batch, batch.slice(0, 4), batch.slice(0, 2), batch.slice(0, 1))).toBe(
    Number.POSITIVE_INFINITY,
  );
  // The whole, 1–4, 1–2, 1, 2, 3–4, 3, 4, 5–8: the fifth without a common record.
  const halves = [
    batch,
    batch.slice(0, 4),
    batch.slice(0, 2),
    call('1'),
    call('2'),
    call('3', '4'),
    call('3'),
  ];
  expect(count(...halves, call('4'), batch.slice(4))).toBe(9);
});
