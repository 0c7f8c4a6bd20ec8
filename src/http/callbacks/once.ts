/** Remembers for a while what has come, so that nothing is taken twice, not even while it is being taken. */
export class Once {
  readonly #keptMs: number;
  /** Times by key, oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  has(key: string, now: number): boolean {
    this.#forget(now);
    return this.#seen.has(key);
  }

  add(key: string, now: number): void {
    this.#seen.set(key, now);
  }

  delete(key: string): void {
    this.#seen.delete(key);
  }

  /** A time in the future was noted before the clock was set back: it goes with the others, in its turn. */
  #forget(now: number): void {
    for (const [key, at] of this.#seen) {
      if (now - at < this.#keptMs) return;
      this.#seen.delete(key);
    }
  }
}
