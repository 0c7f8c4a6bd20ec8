import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inParallel } from '../../src/lib/in-parallel.ts';

/** Counts what is taken from it, as a source of pages would. */
function* numbers(count: number, taken: number[]): Iterable<number> {
  for (let n = 0; n < count; n += 1) {
    taken.push(n);
    yield n;
  }
}

function* stopped(): Iterable<number> {
  yield* [0, 1, 2];
  throw new Error('stopped');
}

describe('inParallel', () => {
  test('works on each item once, and on as many at a time as allowed', async () => {
    const done: number[] = [];
    let active = 0;
    let most = 0;
    await inParallel(numbers(100, []), 4, async (n) => {
      active += 1;
      most = Math.max(most, active);
      await turn();
      active -= 1;
      done.push(n);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([...numbers(100, [])]);
    expect(most).toBe(4);
  });

  test('takes items as places come free: 200,000 of them are never all in memory', async () => {
    const taken: number[] = [];
    let done = 0;
    let waiting = 0;
    await inParallel(numbers(2_000, taken), 3, async () => {
      waiting = Math.max(waiting, taken.length - done);
      await turn();
      done += 1;
    });
    expect(waiting).toBeLessThanOrEqual(7);
    expect(done).toBe(2_000);
  });

  test('after a failure nothing more is started, and it is thrown when all under way have ended', async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const work = inParallel(numbers(50, []), 3, async (n) => {
      started.push(n);
      if (n === 1) throw new Error('refused');
      for (let turns = 0; turns < 5; turns += 1) await turn();
      ended.push(n);
    });
    await expect(work).rejects.toThrow('refused');
    expect(started).toEqual([0, 1, 2]);
    expect(ended).toEqual([0, 2]);
  });

  test('what ends the reading of items waits for those under way as well', async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const work = inParallel(stopped(), 1, async (n) => {
      started.push(n);
      await turn();
      ended.push(n);
    });
    await expect(work).rejects.toThrow('stopped');
    expect(started).toContain(0);
    expect(ended).toEqual(started);
  });
});
