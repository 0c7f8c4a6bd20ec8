/** The first person who was found to have the partner of somebody else. */
export interface FirstSharing {
  /** Username and id, as far as they are known. */
  readonly person: string;
  /** What the partner was found by; `null`: it is not shown. */
  readonly key: string | null;
}

const FIRST_SIZE = 1_024;

/** Counts how many people each partner has, with one byte for a partner. */
export class Sharing {
  /** 0, 1, or 2 for several, by the number of the partner. */
  #people = new Uint8Array(FIRST_SIZE);
  /** Partners who have exactly one person. */
  #single = 0;
  /** Partners who have several people. */
  #shared = 0;
  /** People who share a partner. */
  #sharing = 0;
  #first: FirstSharing | null = null;

  add(partner: number, tell: () => FirstSharing): void {
    this.#reserve(partner);
    const before = this.#people[partner] ?? 0;
    this.#people[partner] = Math.min(before + 1, 2);
    if (before === 0) this.#single += 1;
    if (before === 1) {
      this.#single -= 1;
      this.#shared += 1;
      this.#sharing += 2;
      this.#first ??= tell();
    }
    if (before === 2) this.#sharing += 1;
  }

  isShared(partner: number): boolean {
    return this.#people[partner] === 2;
  }

  /**
   * Returns who shares, where few do: most partners have exactly one person, and most people a partner of their own. A
   * table of places, where nearly all share, is none of that.
   */
  few(): { readonly people: number; readonly partners: number; readonly first: FirstSharing } | null {
    const isUsual = this.#shared * 2 > this.#single || this.#sharing > this.#single;
    if (this.#first === null || isUsual) return null;
    return { people: this.#sharing, partners: this.#shared, first: this.#first };
  }

  #reserve(partner: number): void {
    if (partner < this.#people.length) return;
    const larger = new Uint8Array(Math.max(partner + 1, this.#people.length * 2));
    larger.set(this.#people);
    this.#people = larger;
  }
}
