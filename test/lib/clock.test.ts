import { expect, test } from 'vitest';
import { abortable, systemClock } from '../../src/lib/clock.ts';
import { backOffMs } from '../../src/lib/pace.ts';

test('sleeping takes its time', async () => {
  const start = performance.now();
  await systemClock.sleep(30, new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThanOrEqual(28);
});

test('an abort ends sleeping and waiting with its own reason, before or during', async () => {
  const reason = new Error('stop');
  const stop = new AbortController();
  const never = new Promise<void>(() => undefined);
  const waits = [systemClock.sleep(60_000, stop.signal), abortable(never, stop.signal)];
  stop.abort(reason);
  for (const wait of waits) await expect(wait).rejects.toBe(reason);
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toBe(reason);
  await expect(abortable(never, stop.signal)).rejects.toBe(reason);
});

test('waiting passes on what was waited for', async () => {
  const { signal } = new AbortController();
  await expect(abortable(Promise.resolve(7), signal)).resolves.toBe(7);
  await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('back-off doubles up to its end, the upper half of it by chance', () => {
  const spec = { firstMs: 500, longestMs: 3000 };
  expect([1, 2, 3, 4, 9].map((attempt) => backOffMs(attempt, spec, 1))).toEqual([
    500, 1000, 2000, 3000, 3000,
  ]);
  expect(backOffMs(2, spec, 0)).toBe(500);
});
