import type { Clock } from '../../src/lib/clock.ts';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still until it is moved. With `auto`, it jumps to the next sleeper's time whenever the event
 * loop has nothing else to do, so that waiting takes no time and keeps its order.
 */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];
  readonly #auto: boolean;
  /** Every time slept, in ms, in order. */
  readonly slept: number[] = [];

  constructor({ now = 1_700_000_000_000, auto = false } = {}) {
    this.#now = now;
    this.#auto = auto;
  }

  now(): number {
    return this.#now;
  }

  /** Also backwards. */
  set(now: number): void {
    this.#now = now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      };
      const wake = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { due: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', stop, { once: true });
      if (this.#auto) setImmediate(() => this.#wakeNext(Number.POSITIVE_INFINITY));
    });
  }

  /** Moves on by so many ms, waking who is due on the way and letting them run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    while (this.#wakeNext(end)) await settle();
    this.#now = end;
  }

  #wakeNext(end: number): boolean {
    const next = this.#sleepers.reduce<Sleeper | null>(
      (first, sleeper) => (first === null || sleeper.due < first.due ? sleeper : first),
      null,
    );
    if (next === null || next.due > end) return false;
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
    this.#now = Math.max(this.#now, next.due);
    next.wake();
    return true;
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
