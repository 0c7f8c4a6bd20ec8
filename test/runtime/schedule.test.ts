import { createTask } from 'node-cron';
import { describe, expect, it, vi } from 'vitest';
import { cronTimes } from '../../src/runtime/schedule.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

function last(cron: string, timezone: string, until: string, days = 3650): string | null {
  const end = Date.parse(until);
  const found = cronTimes(cron, timezone).last({ after: end - days * DAY, until: end });
  return found === null ? null : new Date(found).toISOString();
}

/** All times of a span, first to last. */
function all(cron: string, timezone: string, [from, until]: readonly [string, string]): readonly string[] {
  const times = cronTimes(cron, timezone);
  const found: string[] = [];
  for (let at = times.next(Date.parse(from)); at !== null && at <= Date.parse(until); at = times.next(at))
    found.push(new Date(at).toISOString().slice(5, 16));
  return found;
}

it.each([
  ['the time itself', '0 3 * * 0', 'UTC', '2026-11-22T03:00:00Z', '2026-11-22T03:00:00.000Z'],
  ['a second before', '0 3 * * 0', 'UTC', '2026-11-22T02:59:59Z', '2026-11-15T03:00:00.000Z'],
  ['in winter', '0 3 * * 0', 'Europe/Berlin', '2026-11-22T12:00:00Z', '2026-11-22T02:00:00.000Z'],
  ['in summer', '0 3 * * 0', 'Europe/Berlin', '2026-07-05T12:00:00Z', '2026-07-05T01:00:00.000Z'],
  ['left out in spring', '30 2 * * *', 'Europe/Berlin', '2026-03-29T20:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['that comes twice', '30 2 * * *', 'Europe/Berlin', '2026-10-25T20:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['at 45 minutes', '0 0 1 * *', 'Asia/Kathmandu', '2026-11-21T00:00:00Z', '2026-10-31T18:15:00.000Z'],
  ['on the last of a month', '0 0 L * *', 'UTC', '2026-03-15T00:00:00Z', '2026-02-28T00:00:00.000Z'],
  ['on a leap day', '0 12 29 2 *', 'UTC', '2026-11-21T00:00:00Z', '2024-02-29T12:00:00.000Z'],
  ['with seconds', '15,45 59 23 31 12 *', 'UTC', '2026-11-21T00:00:00Z', '2025-12-31T23:59:45.000Z'],
])('the last time %s', (...[, cron, timezone, until, expected]) => {
  expect(last(cron, timezone, until)).toBe(expected);
});

it('is none where the span holds none, and the begin of a span is not in it', () => {
  expect(last('0 3 * * 0', 'UTC', '2026-11-21T00:00:00Z', 5)).toBeNull();
  const at = Date.parse('2026-11-22T03:00:00Z');
  const times = cronTimes('0 3 * * 0', 'UTC');
  expect(times.last({ after: at, until: at + 1 })).toBeNull();
  expect(times.next(at - 1)).toBe(at);
  expect(times.next(at)).toBe(at + 7 * DAY);
});

it('is found however far away it is', () => {
  const next = cronTimes('0 0 * 2 1#5', 'UTC').next(Date.parse('2026-11-21T00:00:00Z'));
  expect(next).toBe(Date.parse('2044-02-29T00:00:00Z'));
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
  const times = cronTimes(cron, timezone);
  const task = createTask(cron, () => undefined, { timezone });
  for (let step = 0; step < 60; step++) {
    vi.setSystemTime(Date.UTC(2026, 0, 1) + Math.floor((step * YEAR) / 60));
    const next = task.getNextRuns(1)[0]?.getTime() ?? 0;
    expect(times.next(Date.now())).toBe(next);
    expect(times.last({ after: Date.now(), until: next })).toBe(next);
    expect(times.last({ after: Date.now(), until: next - 1 })).toBeNull();
  }
  void task.destroy();
  vi.useRealTimers();
});
