import type { Intermediate, LdapResult, Message } from './message.ts';
import type { RawEntry } from './entry.ts';

/** What came of an answer since the last time. */
export interface AnswerPart {
  /** Entries, which the caller may take out of the list. */
  readonly entries: RawEntry[];
  /** Addresses of other servers, for each reference. */
  readonly references: (readonly string[])[];
  readonly intermediates: Intermediate[];
  /** How the search ended; `null`: more follows. */
  result: LdapResult | null;
}

/**
 * So many bytes of an answer wait here until they are taken, then the server has to wait: many times what a page
 * of usual entries has, and little enough to hold it twice.
 */
const FULL = 8 * 1_024 * 1_024;

/** The answer to one request, which comes while its reader does something else. */
export class Answer {
  /** Tag of the operation that ends it. */
  readonly #ends: number;
  readonly #milliseconds: number;
  readonly #onExpired: () => void;
  #part = emptyPart();
  #bytes = 0;
  #failure: Error | null = null;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  /** @param seconds from the request to its end, without the times in which nothing is taken from the server */
  constructor(ends: number, seconds: number, onExpired: () => void) {
    this.#ends = ends;
    this.#milliseconds = seconds * 1_000;
    this.#onExpired = onExpired;
    this.#startTimer();
  }

  /** Whether as much waits here as may. */
  get isFull(): boolean {
    return this.#bytes >= FULL;
  }

  /** Takes a message of so many bytes; returns whether it ends the answer, or `null` if it is none to this request. */
  add(message: Message, bytes: number): boolean | null {
    const part = this.#part;
    if (message.kind === 'result') {
      if (message.operation !== this.#ends) return null;
      part.result = message.result;
    } else if (message.kind === 'entry') part.entries.push(message.entry);
    else if (message.kind === 'reference') part.references.push(message.uris);
    else part.intermediates.push(message);
    this.#bytes += bytes;
    if (part.result === null && !this.isFull) return false;
    clearTimeout(this.#timer);
    this.#wake();
    return part.result !== null;
  }

  /** Ends it before its end. */
  fail(reason: Error): void {
    this.#failure ??= reason;
    clearTimeout(this.#timer);
    this.#wake();
  }

  /**
   * Returns what came, once the answer ended or as much waits as may. Rejects if it does not come to its end; no two
   * calls at a time.
   */
  async take(): Promise<AnswerPart> {
    if (this.#failure === null && this.#part.result === null && !this.isFull)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure !== null) throw this.#failure;
    const part = this.#part;
    this.#part = emptyPart();
    this.#bytes = 0;
    if (part.result === null) this.#startTimer();
    return part;
  }

  #startTimer(): void {
    this.#timer = setTimeout(this.#onExpired, this.#milliseconds);
  }
}

function emptyPart(): AnswerPart {
  return { entries: [], references: [], intermediates: [], result: null };
}
