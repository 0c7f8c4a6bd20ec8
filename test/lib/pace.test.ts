import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setMaxListeners } from 'node:events';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { Pace, PauseTooLong } from '../../src/lib/pace.ts';
import { FakeClock } from '../doubles/fake-clock.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Runs tasks of these durations; the times at which they started, and the most at once. */
async function paced(
  limits: { requestsPerSecond: number; concurrency: number },
  durations: readonly number[],
  clock = new FakeClock({ auto: true }),
) {
  const pace = new Pace(limits, clock);
  const starts: number[] = [];
  let active = 0;
  let most = 0;
  const task = async (ms: number): Promise<void> => {
    starts.push(clock.now());
    active += 1;
    most = Math.max(most, active);
    await clock.sleep(ms, signal);
    active -= 1;
  };
  await Promise.all(durations.map((ms) => pace.run(() => task(ms), signal)));
  return { starts, most };
}

/** The most starts within any second. */
function busiestSecond(starts: readonly number[]): number {
  return Math.max(...starts.map((start) => starts.filter((s) => s >= start && s < start + 1000).length));
}

async function keepsToLimits(
  requestsPerSecond: number,
  concurrency: number,
  durations: readonly number[],
): Promise<void> {
  const { starts, most } = await paced({ requestsPerSecond, concurrency }, durations);
  expect(starts).toHaveLength(durations.length);
  expect(busiestSecond(starts)).toBeLessThanOrEqual(requestsPerSecond + 1);
  expect(most).toBeLessThanOrEqual(concurrency);
}

test('no second sees more starts than the rate, plus one; never more at once than the concurrency', async () => {
  const rates = fc.integer({ min: 1, max: 100 });
  const concurrencies = fc.integer({ min: 1, max: 16 });
  const durations = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 150 });
  const property = fc.asyncProperty(rates, concurrencies, durations, keepsToLimits);
  await expect(fc.assert(property, { numRuns: 60 })).resolves.toBeUndefined();
});

test('a pace that is shared takes a turn of all for each start, and more of them while it is slow', async () => {
  const clock = new FakeClock({ auto: true });
  let taken = 0;
  const shared = {
    take: async () => void (taken += 1),
    pause: async () => undefined,
    close: async () => undefined,
  };
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 1 }, clock, shared);
  await pace.run(async () => undefined, signal);
  expect(taken).toBe(1);
  pace.slowDown(clock.now());
  await pace.run(async () => undefined, signal);
  expect(taken).toBe(3);
});

test('the rate is used to the full where calls are short', async () => {
  const durations = Array.from({ length: 200 }, () => 5);
  const { starts } = await paced({ requestsPerSecond: 50, concurrency: 4 }, durations);
  expect(starts.at(-1)! - starts[0]!).toBeGreaterThanOrEqual(3900);
  expect(starts.at(-1)! - starts[0]!).toBeLessThanOrEqual(4050);
});

test('timers that fire late by less than an interval do not cost rate', async () => {
  class LateClock extends FakeClock {
    override sleep(ms: number, stop: AbortSignal): Promise<void> {
      return super.sleep(ms + 4, stop);
    }
  }
  const durations = Array.from({ length: 300 }, () => 0);
  const { starts } = await paced(
    { requestsPerSecond: 100, concurrency: 4 },
    durations,
    new LateClock({ auto: true }),
  );
  expect(starts.at(-1)! - starts[0]!).toBeLessThanOrEqual(3050);
  expect(busiestSecond(starts)).toBeLessThanOrEqual(101);
});

test('turns are handed out in the order of asking', async () => {
  const clock = new FakeClock({ auto: true });
  const pace = new Pace({ requestsPerSecond: 20, concurrency: 2 }, clock);
  const order: number[] = [];
  const ask = (index: number) => pace.run(() => Promise.resolve(order.push(index)), signal);
  await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('a throttled call halves rate and concurrency, and two minutes bring them back', async () => {
  const clock = new FakeClock({ auto: true });
  const limits = { requestsPerSecond: 10, concurrency: 4 };
  const pace = new Pace(limits, clock);
  pace.slowDown(clock.now());
  expect(pace.share()).toBe(0.5);
  const starts: number[] = [];
  const task = (): Promise<void> => {
    starts.push(clock.now());
    return Promise.resolve();
  };
  await Promise.all(Array.from({ length: 10 }, () => pace.run(task, signal)));
  expect(busiestSecond(starts)).toBeLessThanOrEqual(6);
  clock.set(clock.now() + 30_000);
  expect(pace.share()).toBeGreaterThan(0.7);
  expect(pace.share()).toBeLessThan(0.8);
  clock.set(clock.now() + 60_000);
  expect(pace.share()).toBe(1);
});

test('calls that were in flight together halve once, later ones again, never to nothing', () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 4 }, clock);
  const startedAt = clock.now();
  clock.set(startedAt + 100);
  for (let call = 0; call < 4; call += 1) pace.slowDown(startedAt);
  expect(pace.share()).toBe(0.5);
  for (let call = 0; call < 20; call += 1) pace.slowDown(clock.now());
  expect(pace.share()).toBe(1 / 64);
});

test('a pause holds all calls, also those that wait already', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 4 }, clock);
  const starts: number[] = [];
  const begin = clock.now();
  const task = (): Promise<void> => {
    starts.push(clock.now() - begin);
    return Promise.resolve();
  };
  const all = Promise.all([1, 2, 3].map(() => pace.run(task, signal)));
  await clock.advance(50);
  pace.pause(5000);
  await clock.advance(10_000);
  await all;
  expect(starts[0]).toBe(0);
  expect(starts[1]).toBe(5050);
  expect(starts[2]).toBeGreaterThanOrEqual(5130);
});

test('nobody waits for a pause of more than ten minutes', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 4 }, clock);
  pace.pause(3_600_000);
  await expect(pace.run(() => Promise.resolve(), signal)).rejects.toBeInstanceOf(PauseTooLong);
  clock.set(clock.now() + 3_600_000);
  await expect(pace.run(() => Promise.resolve('again'), signal)).resolves.toBe('again');
});

test('an aborted call stops waiting, and those behind it go on', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 1, concurrency: 1 }, clock);
  const stop = new AbortController();
  const ran: string[] = [];
  const run = (name: string, stopping: AbortSignal) =>
    pace.run(() => Promise.resolve(ran.push(name)), stopping).catch((error: unknown) => String(error));
  const all = [run('first', signal), run('second', stop.signal), run('third', signal)];
  await clock.advance(0);
  stop.abort('enough');
  await expect(all[1]).resolves.toBe('enough');
  await clock.advance(1000);
  await Promise.all(all);
  expect(ran).toEqual(['first', 'third']);
});

test('a task that fails gives its place back', async () => {
  const pace = new Pace({ requestsPerSecond: 100, concurrency: 1 }, new FakeClock({ auto: true }));
  await expect(pace.run(() => Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  await expect(pace.run(() => Promise.resolve('yes'), signal)).resolves.toBe('yes');
});

test('a clock that is set back does not stop the calls', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 1 }, clock);
  await pace.run(() => Promise.resolve(), signal);
  clock.set(clock.now() - 3_600_000);
  const next = pace.run(() => Promise.resolve('on'), signal);
  await clock.advance(101);
  await expect(next).resolves.toBe('on');
});

test('a clock that is set back by a day makes no pause longer', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ requestsPerSecond: 10, concurrency: 1 }, clock);
  await pace.run(() => Promise.resolve(), signal);
  pace.pause(5_000);
  clock.set(clock.now() - 86_400_000);
  const next = pace.run(() => Promise.resolve('on'), signal);
  await clock.advance(5_001);
  await expect(next).resolves.toBe('on');
});

test('calls that are over leave nothing behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let now = 0;
  const clock: Clock = { now: () => (now += 1), sleep: () => Promise.resolve() };
  const pace = new Pace({ requestsPerSecond: 1_000, concurrency: 1 }, clock);
  const calls = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call += 1) await pace.run(() => Promise.resolve(), signal);
  };
  await calls(5_000);
  const before = heap();
  await calls(50_000);
  expect((heap() - before) / 50_000).toBeLessThan(20);
});
