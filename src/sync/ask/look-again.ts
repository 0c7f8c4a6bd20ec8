import { backOffMs, type BackOff } from '../../lib/pace.ts';
import type { Run } from '../state/world.ts';

const EACH_SECOND: BackOff = { firstMs: 1_000, longestMs: 1_000 };

/** How often to look again; several looks may share it. */
export class Patience {
  readonly #waits: BackOff;
  #left: number;
  #looked = 0;

  /** @param again number of looks after the first one */
  constructor(again: number, waits: BackOff = EACH_SECOND) {
    this.#left = again;
    this.#waits = waits;
  }

  /** Waits until the next look is due; returns whether there is one. */
  async lasts({ clock }: Run, signal: AbortSignal): Promise<boolean> {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#looked += 1;
    await clock.sleep(backOffMs(this.#looked, this.#waits, 1), signal);
    return true;
  }
}

interface RepeatedLook<T> {
  /** Looks once; gets what it saw the time before. */
  readonly look: (before: T | null) => Promise<T>;
  readonly isSettled: (seen: T) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Looks until nothing is open, or patience ends: the service may show a little later what it took. Returns the last
 * look.
 */
export async function lookAgain<T>(
  run: Run,
  patience: Patience,
  { look, isSettled, signal }: RepeatedLook<T>,
): Promise<T> {
  let seen = await look(null);
  while (!isSettled(seen) && (await patience.lasts(run, signal))) seen = await look(seen);
  return seen;
}
