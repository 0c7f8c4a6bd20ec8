import { createHash, timingSafeEqual } from 'node:crypto';

const WINDOW_MS = 60_000;
/** Wrong tries in a window: of one address, and of all together. */
const TRIES = { address: 5, all: 50 } as const;

export interface NamedToken {
  /** Whose token it is, or what it is for. */
  readonly name: string;
  readonly token: string;
}

/** What becomes of a token that was entered: its name, or why it opens nothing. */
export type Entry = Pick<NamedToken, 'name'> | 'wrong' | Pause;

/** The token was not looked at. */
export interface Pause {
  /** When it may be entered again, seconds from now. */
  readonly seconds: number;
  /** Whether it is the first time in this minute. */
  readonly isNews: boolean;
}

/** Knows the tokens of one door, and lets nobody try many: an address five wrong ones a minute, all together fifty. */
export class Tokens {
  readonly #tokens: () => readonly NamedToken[];
  readonly #now: () => number;
  #wrong = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;
  #isPaused = false;

  /**
   * @param tokens as they are now: the configuration may be read again
   * @param now milliseconds on a watch that no one sets
   */
  constructor(tokens: () => readonly NamedToken[], now: () => number) {
    this.#tokens = tokens;
    this.#now = now;
  }

  enter(address: string, token: string): Entry {
    const age = this.#now() - this.#since;
    if (age >= WINDOW_MS) [this.#wrong, this.#since, this.#isPaused] = [new Map(), this.#now(), false];
    const own = this.#wrong.get(address) ?? 0;
    const all = [...this.#wrong.values()].reduce((sum, n) => sum + n, 0);
    if (own >= TRIES.address || all >= TRIES.all) {
      const isNews = !this.#isPaused;
      this.#isPaused = true;
      return { seconds: Math.ceil((WINDOW_MS - age) / 1000), isNews };
    }
    const right = this.#tokens().find((known) => isSame(token, known.token));
    if (right !== undefined) return { name: right.name };
    this.#wrong.set(address, own + 1);
    return 'wrong';
  }
}

/** Compares in a time that tells nothing of the texts. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
