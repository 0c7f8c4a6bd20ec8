/** Smallest number of records at which a service may cut an answer. */
const SMALLEST_CUT = 1;
/**
 * Number of vain tries that are enough; a single one may be chance, since there may be exactly as many
 * records as the service gives.
 */
const ENOUGH = 3;

/**
 * Finds out at which length the employees list is cut short, which the interface does not show. An answer
 * that is shorter than another one is whole. One as long as the longest may be cut, until asking for what it
 * lacks was often enough in vain.
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

  /**
   * Notes that an answer of so many records was asked again: `isMore`: somebody whom it lacked was found
   * then.
   */
  askedAgain(length: number, isMore: boolean): void {
    this.#inVain = isMore ? 0 : this.#inVain + 1;
    if (this.#inVain >= ENOUGH) this.#whole = Math.max(this.#whole, length);
  }
}
