import { createTask } from 'node-cron';
import { describe, expect, it, vi } from 'vitest';
import { nextTime } from '../../src/runtime/schedule.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** All times of a span, first to last. */
function all(cron: string, timezone: string, [from, until]: readonly [string, string]): readonly string[] {
  const found: string[] = [];
  const next = (after: number): number | null =>
    nextTime(cron, timezone, { after, until: Date.parse(until) });
  for (let at = next(Date.parse(from)); at !== null; at = next(at))
    found.push(new Date(at).toISOString().slice(5, 16));
  return found;
}

it.each([
  ['a second later', '0 3 * * 0', 'UTC', '2026-11-22T02:59:59Z', '2026-11-22T03:00:00.000Z'],
  ['not the moment itself', '0 3 * * 0', 'UTC', '2026-11-22T03:00:00Z', '2026-11-29T03:00:00.000Z'],
  ['in winter', '0 3 * * 0', 'Europe/Berlin', '2026-11-16T12:00:00Z', '2026-11-22T02:00:00.000Z'],
  ['in summer', '0 3 * * 0', 'Europe/Berlin', '2026-06-29T12:00:00Z', '2026-07-05T01:00:00.000Z'],
  ['at 45 minutes', '0 0 1 * *', 'Asia/Kathmandu', '2026-10-21T00:00:00Z', '2026-10-31T18:15:00.000Z'],
  ['on the last of a month', '0 0 L * *', 'UTC', '2026-02-15T00:00:00Z', '2026-02-28T00:00:00.000Z'],
  ['on a leap day', '0 12 29 2 *', 'UTC', '2021-11-21T00:00:00Z', '2024-02-29T12:00:00.000Z'],
  ['with seconds', '15,45 59 23 31 12 *', 'UTC', '2025-12-31T23:59:20Z', '2025-12-31T23:59:45.000Z'],
  ['however far away', '0 0 * 2 1#5', 'UTC', '2026-11-21T00:00:00Z', '2044-02-29T00:00:00.000Z'],
])('the next time %s', (...[, cron, timezone, after, expected]) => {
  const next = nextTime(cron, timezone, { after: Date.parse(after) });
  expect(new Date(next ?? 0).toISOString()).toBe(expected);
});

it('is none where the span ends before it', () => {
  const [after, at] = [Date.parse('2026-11-21T00:00:00Z'), Date.parse('2026-11-22T03:00:00Z')];
  const until = (end: number): number | null => nextTime('0 3 * * 0', 'UTC', { after, until: end });
  expect([until(at - 1), until(at)]).toEqual([null, at]);
});

describe('the change to summer time', () => {
  const SPRING = ['2026-03-29T00:00:00Z', '2026-03-29T02:30:00Z'] as const;

  it.each([
    ['30 2 * * *', ['03-29T01:00']],
    ['*/15 2 * * *', ['03-29T01:00']],
    ['30 2 * * 1', []],
    ['0 3 * * *', ['03-29T01:00']],
    ['*/30 * * * *', ['03-29T00:30', '03-29T01:00', '03-29T01:30', '03-29T02:00', '03-29T02:30']],
  ])('leaves nothing of %s out in Berlin', (cron, expected) => {
    expect(all(cron, 'Europe/Berlin', SPRING)).toEqual(expected);
  });

  it('leaves no midnight out in Beirut, where it is midnight that does not come', () => {
    expect(all('0 0 * * 0', 'Asia/Beirut', ['2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'])).toEqual([
      '03-28T22:00',
    ]);
  });
});

describe('the change to winter time', () => {
  const AUTUMN = ['2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z'] as const;

  it.each([
    ['30 2 * * *', ['10-25T00:30']],
    ['*/30 2 * * *', ['10-25T00:30']],
    ['0 3 * * *', ['10-25T02:00']],
    ['*/30 * * * *', ['10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00']],
  ])('repeats nothing of %s in Berlin but what is to run every hour', (cron, expected) => {
    expect(all(cron, 'Europe/Berlin', AUTUMN)).toEqual(expected);
  });
});

describe('day of month and day of week', () => {
  const NOVEMBER = ['2026-11-01T00:00:00Z', '2026-11-16T00:00:00Z'] as const;

  it.each([
    ['3 1 3 * 0', ['11-01T01:03', '11-03T01:03', '11-08T01:03', '11-15T01:03']],
    ['0 3 1 3 * 0', ['11-01T01:03', '11-03T01:03', '11-08T01:03', '11-15T01:03']],
    ['3 1 3 * *', ['11-03T01:03']],
    ['3 1 * * 0', ['11-01T01:03', '11-08T01:03', '11-15T01:03']],
    ['3 1 */2 * 0', ['11-01T01:03', '11-15T01:03']],
  ])('%s means what cron(5) says', (cron, expected) => {
    expect(all(cron, 'UTC', NOVEMBER)).toEqual(expected);
  });
});

it.each([
  ['0 3 * * 0', 'Europe/London'],
  ['*/15 * * * *', 'America/St_Johns'],
  ['30 4 * * *', 'America/New_York'],
  ['0 5 1,15 * *', 'Pacific/Auckland'],
])('agrees with what node-cron says comes next: %s in %s', (cron, timezone) => {
  vi.useFakeTimers();
  const task = createTask(cron, () => undefined, { timezone });
  for (let step = 0; step < 60; step++) {
    vi.setSystemTime(Date.UTC(2026, 0, 1) + Math.floor((step * YEAR) / 60));
    const next = task.getNextRuns(1)[0]?.getTime() ?? 0;
    expect(nextTime(cron, timezone, { after: Date.now() })).toBe(next);
  }
  void task.destroy();
  vi.useRealTimers();
});
