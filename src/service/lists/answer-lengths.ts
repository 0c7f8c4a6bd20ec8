/** No service gives fewer records than this at most. */
const SMALLEST_CUT = 1;
/** Once is chance: as many as there are may be as many as it gives. */
const ENOUGH = 3;

/**
 * Whether the employees list is cut short at some length is not shown. An answer that is shorter than another one is
 * whole; one that is as long as the longest may be cut, until it was often enough asked in vain for what it lacks.
 */
export class AnswerLengths {
  #longest = SMALLEST_CUT;
  #whole = 0;
  #inVain = 0;

  /** Returns whether an answer of so many records, whoever they are, may lack somebody. */
  mayBeCut(length: number): boolean {
    if (length > this.#longest) {
      this.#longest = length;
      this.#inVain = 0;
    }
    return length >= this.#longest && length > this.#whole;
  }

  /** An answer of so many records lacked somebody who was found when asked for again, or did not. */
  askedAgain(length: number, isMore: boolean): void {
    this.#inVain = isMore ? 0 : this.#inVain + 1;
    if (this.#inVain >= ENOUGH) this.#whole = Math.max(this.#whole, length);
  }
}
