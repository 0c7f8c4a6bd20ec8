import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepLease } from '../../src/app/runs.ts';
import { LedgerError } from '../../src/domain/errors.ts';
import { MemoryLog } from '../runtime/memory-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const full = (): never => {
  throw new LedgerError('ledger x: the disk is full');
};

test('a lease is renewed four times a minute and released once', () => {
  const lease = { renew: vi.fn<() => boolean>(() => true), release: vi.fn<() => void>() };
  const end = keepLease(lease, new MemoryLog());
  vi.advanceTimersByTime(60_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect([lease.renew.mock.calls.length, lease.release.mock.calls.length]).toEqual([4, 1]);
});

test('a full disk is noted and ends neither the process nor, by its release, the report of the run', () => {
  const log = new MemoryLog();
  const end = keepLease({ renew: full, release: full }, log);
  expect(() => vi.advanceTimersByTime(30_000)).not.toThrow();
  expect(end).not.toThrow();
  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
});
