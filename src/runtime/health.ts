import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Watch } from '../domain/ports/watch.ts';

const HEALTHY_FOR_MS = 120_000;

/** Returns the heartbeat file of the daemon that works on a ledger: a small file next to it. */
export function heartbeatFile(statePath: string): string {
  return `${statePath}.heartbeat`;
}

export interface Instant {
  /** Time by the clock, ms since the epoch. */
  readonly time: number;
  readonly watch: Watch;
}

interface Heartbeat {
  readonly time: number;
  readonly boot: string | null;
  /** Time by the watch of that start of the machine, ms. */
  readonly at: number;
}

/** Writes the heartbeat, whole or not at all: a reader never sees half of it. */
export function writeHeartbeat(file: string, { time, watch }: Instant): void {
  const next = `${file}.${process.pid}.new`;
  const beat: Heartbeat = { time, boot: watch.boot, at: watch.now() };
  writeFileSync(next, `${JSON.stringify({ ...beat, pid: process.pid })}\n`);
  renameSync(next, file);
}

/**
 * Returns whether the heartbeat is younger than 2 minutes by the machine's watch, which a change of the clock
 * does not affect. A heartbeat of another start of the machine comes from a daemon that is gone. If there is
 * no such watch, the clock decides, and a heartbeat in the future does not count.
 */
export function isHealthy(file: string, { time, watch }: Instant): boolean {
  const beat = readHeartbeat(file);
  if (beat === null) return false;
  if (beat.boot === null || watch.boot === null) return Math.abs(time - beat.time) < HEALTHY_FOR_MS;
  const age = watch.now() - beat.at;
  return beat.boot === watch.boot && age >= 0 && age < HEALTHY_FOR_MS;
}

/** Returns when the daemon last beat, ms since the epoch. */
export function heartbeatTime(file: string): number | null {
  return readHeartbeat(file)?.time ?? null;
}

function readHeartbeat(file: string): Heartbeat | null {
  try {
    const beat = JSON.parse(readFileSync(file, 'utf8')) as Readonly<
      Partial<Record<keyof Heartbeat, unknown>>
    >;
    if (typeof beat.time !== 'number') return null;
    const { time, boot, at } = beat;
    return typeof boot === 'string' && typeof at === 'number'
      ? { time, boot, at }
      : { time, boot: null, at: 0 };
  } catch {
    return null;
  }
}
