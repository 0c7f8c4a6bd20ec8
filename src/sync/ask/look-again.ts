import { backOffMs, type BackOff } from '../../lib/pace.ts';
import type { Clock } from '../../lib/clock.ts';

/** How often a run looks again for what it has sent. */
const LOOKS_AGAIN = 3;
const EACH_SECOND: BackOff = { firstMs: 1_000, longestMs: 1_000 };

/** How often to look again; several looks may share it. */
export class Patience {
  readonly #clock: Clock;
  readonly #waits: BackOff;
  #left = LOOKS_AGAIN;
  #looked = 0;

  constructor(clock: Clock, waits: BackOff = EACH_SECOND) {
    this.#clock = clock;
    this.#waits = waits;
  }

  /** How often was waited so far. */
  get waits(): number {
    return this.#looked;
  }

  /** Waits until the next look is due; returns whether there is one. */
  async lasts(signal: AbortSignal): Promise<boolean> {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#looked += 1;
    await this.#clock.sleep(backOffMs(this.#looked, this.#waits, 1), signal);
    return true;
  }
}

interface RepeatedLook<T> {
  /** Looks once; gets what it saw the time before. */
  readonly look: (before: T | null) => Promise<T>;
  readonly isSettled: (seen: T) => boolean;
  readonly signal: AbortSignal;
  /** How often patience had waited when the first look was asked for; absent: it is asked for now. */
  readonly asOf?: number;
}

/**
 * Looks until nothing is open, or patience ends: the service may show a little later what it took. Returns the last
 * look.
 */
export async function lookAgain<T>(
  patience: Patience,
  { look, isSettled, signal, asOf = patience.waits }: RepeatedLook<T>,
): Promise<T> {
  let before = asOf;
  let seen = await look(null);
  while (!isSettled(seen)) {
    // A look from before somebody else's wait is made again at once: what it lacks may be shown by now.
    if (before === patience.waits && !(await patience.lasts(signal))) break;
    before = patience.waits;
    seen = await look(seen);
  }
  return seen;
}
