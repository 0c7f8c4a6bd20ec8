/** First id, 2^53 + 1: a double cannot hold it, nor any odd number after it. */
const FIRST = 9_007_199_254_740_993n;

/** Gives 64-bit identifiers, all odd, so that each one changes when it passes through a double. */
export class LongIds {
  #next: bigint;

  constructor(next: string = FIRST.toString()) {
    this.#next = BigInt(next);
  }

  take(): string {
    const id = this.#next.toString();
    this.#next += 2n;
    return id;
  }

  /** Continues from an id after a restore: ids are given again. */
  restart(next: string): void {
    this.#next = BigInt(next);
  }

  /** Returns the id that the next `take` will give, to be stored. */
  get next(): string {
    return this.#next.toString();
  }
}
