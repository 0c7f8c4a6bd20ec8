import type { CallbackErrorKind } from '../../callback/callback-error.ts';
import type { Log } from '../../domain/events.ts';

/** Why a callback was not taken. `again`: its signature was taken before. */
export type TurnedAwayKind = CallbackErrorKind | 'again';

const MINUTE_MS = 60_000;

/**
 * Counts callbacks that were not taken, and says so in the log: at most one line a minute, and never a word of what
 * somebody sent.
 */
export class TurnedAway {
  readonly #log: Log;
  readonly #now: () => number;
  #counts = new Map<TurnedAwayKind, number>();
  #sentence = '';
  #saidAt: number | null = null;

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** @param sentence for the administrator; the last one of a minute is told */
  count(kind: TurnedAwayKind, sentence: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#sentence = sentence;
    const now = this.#now();
    if (this.#saidAt !== null && Math.abs(now - this.#saidAt) < MINUTE_MS) return;
    this.#saidAt = now;
    this.#log.note('warn', 'callbacks were turned away', {
      ...Object.fromEntries(this.#counts),
      reason: this.#sentence,
    });
    this.#counts = new Map();
  }
}
