import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/runtime/progress.ts';
import { MemoryLog } from './memory-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('progress', () => {
  it('of a phase shorter than 10 s leaves no line', () => {
    const log = new MemoryLog();
    const progress = createProgress({ log });
    progress.start('apply', 100);
    for (let second = 0; second < 9; second++) {
      vi.advanceTimersByTime(1000);
      progress.advance(10);
    }
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(log.lines).toEqual([]);
  });

  it('of a long phase is a line every 10 s with rate and ETA, though nothing advances', () => {
    const log = new MemoryLog();
    const progress = createProgress({ log });
    progress.start('apply', 300);
    progress.advance(100);
    vi.advanceTimersByTime(10_000);
    expect(log.lines.map(({ fields }) => fields)).toEqual([
      { event: 'progress', phase: 'apply', done: 100, total: 300, ratePerSecond: 10, etaSeconds: 20 },
    ]);
    vi.advanceTimersByTime(25_000);
    expect(log.lines).toHaveLength(3);
    progress.start('verify', null);
    vi.advanceTimersByTime(10_000);
    expect(log.lines.at(-1)?.fields).toMatchObject({ phase: 'verify', total: null, etaSeconds: null });
    progress.end();
  });
});
