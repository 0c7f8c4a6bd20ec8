import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Watch } from '../domain/ports/watch.ts';
import type { Settings, SyncSettings } from '../domain/settings.ts';

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

/** What a daemon says of itself. */
interface Saying {
  readonly mode: SyncSettings['mode'];
  /** Why it did not take the configuration when it last read it again; `null`: it did. */
  readonly reloadRefused: string | null;
}

interface Heartbeat extends Saying {
  readonly time: number;
  readonly boot: string | null;
  /** Time by the watch of that start of the machine, ms. */
  readonly at: number;
  /** The daemon that wrote it. */
  readonly by: string;
  /** Other daemons that have beaten since this one started, and still do. */
  readonly others: readonly string[];
}

const USUAL: Saying = { mode: 'apply', reloadRefused: null };

/** The heart of one daemon. Daemons on one ledger share a file: it has the last heartbeat of each, the newest last. */
export class Heart {
  readonly #file: string;
  readonly #id = randomUUID();
  /** When others had beaten before this one did for the first time: one that was killed does so no more. */
  #before: ReadonlyMap<string, number> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Writes the heartbeat, whole or not at all: a reader never sees half of it. */
  beat(now: Instant, { mode, reloadRefused } = USUAL): void {
    const { time, watch } = now;
    const others = this.#others(now);
    const before = (this.#before ??= new Map(others.map((beat) => [beat.by, beat.time])));
    const living = others.filter((beat) => before.get(beat.by) !== beat.time).map(({ by }) => by);
    const own = { time, boot: watch.boot, at: watch.now(), by: this.#id, mode, reloadRefused };
    this.#write([...others, { ...own, others: living }]);
  }

  /** Removes the heartbeat; those of other daemons stay while they are young. */
  stop(now: Instant): void {
    const others = this.#others(now);
    try {
      if (others.length > 0) this.#write(others);
      else rmSync(this.#file, { force: true });
    } catch {
      // On a full disk the last heartbeat stays, and grows old.
    }
  }

  #others(now: Instant): readonly Heartbeat[] {
    return youngIn(this.#file, now).filter(({ by }) => by !== this.#id);
  }

  #write(daemons: readonly Heartbeat[]): void {
    const next = `${this.#file}.${this.#id}.new`;
    writeFileSync(next, `${JSON.stringify({ daemons, pid: process.pid })}\n`);
    renameSync(next, this.#file);
  }
}

/**
 * Returns whether the heartbeat is younger than 2 minutes by the machine's watch, which a change of the clock
 * does not affect. A heartbeat of another start of the machine comes from a daemon that is gone. If there is
 * no such watch, the clock decides, and a heartbeat in the future does not count.
 */
export function isHealthy(file: string, now: Instant): boolean {
  return youngIn(file, now).length > 0;
}

function isYoung(beat: Heartbeat, { time, watch }: Instant): boolean {
  if (beat.boot === null || watch.boot === null) return Math.abs(time - beat.time) < HEALTHY_FOR_MS;
  const age = watch.now() - beat.at;
  return beat.boot === watch.boot && age >= 0 && age < HEALTHY_FOR_MS;
}

/** Returns when a daemon last beat, ms since the epoch. */
export function heartbeatTime(file: string): number | null {
  return readHeartbeats(file).at(-1)?.time ?? null;
}

/** What of the daemons is worth knowing before anything else. */
export interface Standing extends Pick<Saying, 'reloadRefused'> {
  /** Nothing is sent: the daemon that lives says so or, if there is none, the configuration. */
  readonly isReportOnly: boolean;
  /** How many daemons work on the ledger beside the one that there should be. */
  readonly otherDaemons: number;
}

/** Returns how the daemons on a ledger stand, as their heartbeats say. */
export function standingOf({ state, sync }: Pick<Settings, 'state' | 'sync'>, now: Instant): Standing {
  const young = youngIn(heartbeatFile(state.path), now);
  const others = young.at(-1)?.others ?? [];
  const living = young.filter(({ by }, index) => index === young.length - 1 || others.includes(by));
  return {
    isReportOnly: (living.length === 0 ? [sync] : living).every(({ mode }) => mode === 'report'),
    otherDaemons: Math.max(0, living.length - 1),
    reloadRefused: living.find(({ reloadRefused }) => reloadRefused !== null)?.reloadRefused ?? null,
  };
}

const youngIn = (file: string, now: Instant): readonly Heartbeat[] =>
  readHeartbeats(file).filter((beat) => isYoung(beat, now));

function readHeartbeats(file: string): readonly Heartbeat[] {
  try {
    const { daemons } = JSON.parse(readFileSync(file, 'utf8')) as { readonly daemons: readonly Heartbeat[] };
    return daemons.filter(({ time, at }) => typeof time === 'number' && typeof at === 'number');
  } catch {
    return [];
  }
}
