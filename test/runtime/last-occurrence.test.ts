import { afterEach, expect, it, vi } from 'vitest';
import { lastOccurrence } from '../../src/runtime/last-occurrence.ts';
import { nextRuns } from '../../src/runtime/schedule.ts';

const YEAR = 365 * 86_400_000;

function last(cron: string, timezone: string, until: string, days = 3650): string | null {
  const end = Date.parse(until);
  const found = lastOccurrence(cron, timezone, { after: end - days * 86_400_000, until: end });
  return found === null ? null : new Date(found).toISOString();
}

afterEach(() => void vi.useRealTimers());

it.each([
  ['the time itself', '0 3 * * 0', 'UTC', '2026-11-22T03:00:00Z', '2026-11-22T03:00:00.000Z'],
  ['a second before', '0 3 * * 0', 'UTC', '2026-11-22T02:59:59Z', '2026-11-15T03:00:00.000Z'],
  ['in winter', '0 3 * * 0', 'Europe/Berlin', '2026-11-22T12:00:00Z', '2026-11-22T02:00:00.000Z'],
  ['in summer', '0 3 * * 0', 'Europe/Berlin', '2026-07-05T12:00:00Z', '2026-07-05T01:00:00.000Z'],
  [
    'a time left out in spring',
    '30 2 * * *',
    'Europe/Berlin',
    '2026-03-29T20:00:00Z',
    '2026-03-28T01:30:00.000Z',
  ],
  [
    'a time that comes twice',
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-25T20:00:00Z',
    '2026-10-25T01:30:00.000Z',
  ],
  [
    'after a change by half an hour',
    '15 1 * * *',
    'Australia/Lord_Howe',
    '2026-04-05T12:00:00Z',
    '2026-04-04T14:15:00.000Z',
  ],
  [
    'at an offset of 45 minutes',
    '0 0 1 * *',
    'Asia/Kathmandu',
    '2026-11-21T00:00:00Z',
    '2026-10-31T18:15:00.000Z',
  ],
  ['on the last of a month', '0 0 L * *', 'UTC', '2026-03-15T00:00:00Z', '2026-02-28T00:00:00.000Z'],
  ['on a leap day', '0 12 29 2 *', 'UTC', '2026-11-21T00:00:00Z', '2024-02-29T12:00:00.000Z'],
  ['with seconds', '15,45 59 23 31 12 *', 'UTC', '2026-11-21T00:00:00Z', '2025-12-31T23:59:45.000Z'],
])('the last occurrence %s', (...[, cron, timezone, until, expected]) => {
  expect(last(cron, timezone, until)).toBe(expected);
});

it('is none where the span holds none, and the begin of a span is not in it', () => {
  expect(last('0 3 * * 0', 'UTC', '2026-11-21T00:00:00Z', 5)).toBeNull();
  const at = Date.parse('2026-11-22T03:00:00Z');
  expect(lastOccurrence('0 3 * * 0', 'UTC', { after: at, until: at + 1 })).toBeNull();
});

it.each([
  ['0 3 * * 0', 'Europe/Berlin'],
  ['*/15 * * * *', 'America/St_Johns'],
  ['30 2 * * *', 'America/New_York'],
  ['0 0 1,15 * 1', 'Pacific/Auckland'],
])('agrees with what node-cron says comes next: %s in %s', (cron, timezone) => {
  vi.useFakeTimers();
  for (let step = 0; step < 60; step++) {
    vi.setSystemTime(Date.UTC(2026, 0, 1) + Math.floor((step * YEAR) / 60));
    const { incremental } = nextRuns({ cron, fullCron: null, timezone });
    const next = incremental.getTime();
    expect(lastOccurrence(cron, timezone, { after: Date.now(), until: next })).toBe(next);
    expect(lastOccurrence(cron, timezone, { after: Date.now(), until: next - 1 })).toBeNull();
  }
});
