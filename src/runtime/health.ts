import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const HEALTHY_FOR_MS = 120_000;

/** The heartbeat of the daemon that works on a ledger: a small file beside it. */
export function heartbeatFile(statePath: string): string {
  return `${statePath}.heartbeat`;
}

/** Written whole or not at all: a reader never sees half of it. */
export function writeHeartbeat(file: string, now: number): void {
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify({ time: now, pid: process.pid })}\n`);
  renameSync(next, file);
}

/** Whether the heartbeat is younger than 2 minutes; no file, or one that is none, is no heartbeat. */
export function isHealthy(file: string, now: number): boolean {
  const time = heartbeatTime(file);
  return time !== null && Math.abs(now - time) < HEALTHY_FOR_MS;
}

/** When the daemon last beat, ms since the epoch. */
export function heartbeatTime(file: string): number | null {
  try {
    const beat: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof beat === 'object' && beat !== null && 'time' in beat && typeof beat.time === 'number'
      ? beat.time
      : null;
  } catch {
    return null;
  }
}
