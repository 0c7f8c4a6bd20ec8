import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { barText, createProgress, ProgressBar } from '../../src/runtime/progress.ts';
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

  it('on a terminal is a bar, drawn at most five times a second and cleared at the end', () => {
    const written: string[] = [];
    const bar = new ProgressBar({ columns: 40, write: (text) => written.push(text) });
    const progress = createProgress({ bar });
    progress.start('read', 1000);
    for (let ms = 0; ms < 1000; ms++) {
      vi.advanceTimersByTime(1);
      progress.advance();
    }
    expect(written.length).toBeLessThanOrEqual(6);
    expect(written.every((text) => text.startsWith('\r\u001B[K') && text.length <= 4 + 39)).toBe(true);
    progress.end();
    progress.end();
    expect(written.at(-1)).toBe('\r\u001B[K');
    expect(written.at(-2)).not.toBe('\r\u001B[K');
  });

  it('as a bar shows share, counts, rate and what is left', () => {
    const half = { phase: 'apply', done: 50, total: 100, ratePerSecond: 2.5, etaSeconds: 20 } as const;
    expect(barText(half)).toBe('apply   [############------------] 50% 50/100 2.5/s 20 s left');
    expect(barText({ ...half, etaSeconds: 7300 })).toContain('2 h 1 min left');
    expect(barText({ ...half, total: null })).toBe('apply   50 2.5/s');
    expect(barText({ ...half, done: 0, total: 0, etaSeconds: null })).toContain('100% 0/0');
  });
});
