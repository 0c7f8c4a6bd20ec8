/**
 * Loaded before a program (`node --import`) that knows nothing of it: when the process ends, it writes into the file
 * BENCH_PROBE what can only be seen from within.
 */
import { writeFileSync } from 'node:fs';

/** A time in which the event loop did nothing else. */
export interface Stall {
  /** When it ended, ms since the epoch. */
  readonly end: number;
  readonly ms: number;
}

export interface Told {
  readonly stalls: readonly Stall[];
  readonly peakMB: number;
  readonly cpuSeconds: number;
}

const LOOK_EVERY_MS = 5;
/** Shorter ones are not told. */
const LEAST_MS = 5;

const file = process.env['BENCH_PROBE'];
if (file !== undefined) {
  delete process.env['BENCH_PROBE'];
  const stalls: Stall[] = [];
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    const ms = now - last - LOOK_EVERY_MS;
    if (ms >= LEAST_MS) stalls.push({ end: Date.now(), ms: Math.round(ms) });
    last = now;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  process.once('exit', () => {
    look();
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const told: Told = { stalls, peakMB: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
    writeFileSync(file, JSON.stringify(told));
  });
}
