/** How many units whose import was refused are tried alone by another call, while none was made that way. */
const TRIES = 4;

/** Whether new units are created one by one, because this service refuses imports of units. */
export class OneByOne {
  #works = false;
  #tries = 0;

  /** Returns whether a unit was made that way: from then on this run makes all others so. */
  get works(): boolean {
    return this.#works;
  }

  get mayBeTried(): boolean {
    return this.#tries < TRIES;
  }

  tried(): void {
    this.#tries += 1;
  }

  worked(): void {
    this.#works = true;
  }
}
