import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  /** The daemon that wrote it; `null`: one of an earlier version. */
  readonly by: string | null;
  /** Another daemon, which stopped after it. */
  readonly gone: string | null;
}

/** The heart of one daemon. Daemons on one ledger share the file of their heartbeats. */
export class Heart {
  readonly #file: string;
  readonly #id = randomUUID();
  /** The last heartbeat of another daemon that this one has seen. */
  #other: Heartbeat | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Writes the heartbeat, whole or not at all: a reader never sees half of it. */
  beat({ time, watch }: Instant): void {
    this.#look();
    this.#write({ time, boot: watch.boot, at: watch.now(), by: this.#id, gone: null });
  }

  /** Removes the heartbeat; if another daemon has beaten in the last two minutes, that one's comes in its place. */
  stop(now: Instant): void {
    this.#look();
    try {
      if (this.#other !== null && isYoung(this.#other, now)) this.#write({ ...this.#other, gone: this.#id });
      else rmSync(this.#file, { force: true });
    } catch {
      // On a full disk the last heartbeat stays, and grows old.
    }
  }

  #look(): void {
    const last = readHeartbeat(this.#file);
    if (last !== null && last.by !== this.#id) this.#other = last;
    else if (last !== null && last.gone === this.#other?.by) this.#other = null;
  }

  #write(beat: Heartbeat): void {
    const next = `${this.#file}.${this.#id}.new`;
    writeFileSync(next, `${JSON.stringify({ ...beat, pid: process.pid })}\n`);
    renameSync(next, this.#file);
  }
}

/**
 * Returns whether the heartbeat is younger than 2 minutes by the machine's watch, which a change of the clock
 * does not affect. A heartbeat of another start of the machine comes from a daemon that is gone. If there is
 * no such watch, the clock decides, and a heartbeat in the future does not count.
 */
export function isHealthy(file: string, now: Instant): boolean {
  const beat = readHeartbeat(file);
  return beat !== null && isYoung(beat, now);
}

function isYoung(beat: Heartbeat, { time, watch }: Instant): boolean {
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
    const [by = null, gone = null] = [beat.by, beat.gone].map((id) => (typeof id === 'string' ? id : null));
    return typeof boot === 'string' && typeof at === 'number'
      ? { time, boot, at, by, gone }
      : { time, boot: null, at: 0, by, gone };
  } catch {
    return null;
  }
}
