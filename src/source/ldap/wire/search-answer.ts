import type { Intermediate, LdapResult, Message } from './parse-message.ts';
import type { RawEntry } from './raw-entry.ts';

/** What came of an answer since the last time. */
export interface AnswerPart {
  /** Entries, which the caller may take out of the list. */
  readonly entries: RawEntry[];
  /** Addresses of other servers, for each reference. */
  readonly references: (readonly string[])[];
  /** What the server told, and after how many entries of this part. */
  readonly told: (Intermediate & { readonly after: number })[];
  /** How the search ended; `null`: more follows. */
  result: LdapResult | null;
}

/** How an answer acts on its connection. */
export interface AnswerLimits {
  /** Milliseconds from the request to its end, without the times in which nothing is taken from the server. */
  readonly timeout: number;
  readonly onExpired: () => void;
  /** Is told when enough waits here (true), and when it was taken (false). */
  readonly onFull: (isFull: boolean) => void;
}

/**
 * So many bytes of an answer wait here until they are taken, then the server has to wait: many times what a page
 * of usual entries has, and little enough to hold it twice.
 */
const FULL = 8 * 1_024 * 1_024;

/** The answer to one search, which comes while its reader does something else. */
export class SearchAnswer {
  readonly #limits: AnswerLimits;
  #part = emptyPart();
  #bytes = 0;
  #isFull = false;
  #state: 'open' | 'ended' | 'dropped' = 'open';
  #failure: Error | null = null;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
    this.#startTimer();
  }

  /** Takes a message of so many bytes. */
  add(message: Message, bytes: number): void {
    if (message.kind === 'done') this.#end(message.result);
    if (this.#state === 'dropped') return;
    if (message.kind === 'entry') this.#part.entries.push(message.entry);
    if (message.kind === 'reference') this.#part.references.push(message.uris);
    if (message.kind === 'intermediate')
      this.#part.told.push({ ...message.told, after: this.#part.entries.length });
    this.#count(bytes);
  }

  /** Ends the answer before its end, unless it is there already. */
  fail(reason: Error): void {
    if (this.#state === 'ended') return;
    this.#failure ??= reason;
    clearTimeout(this.#timer);
    this.#wake();
  }

  /**
   * Returns what came, once the search ended or as much waits as may. Rejects where the answer does not come to
   * its end; no two calls at a time.
   */
  async take(): Promise<AnswerPart> {
    if (this.#failure === null && this.#state === 'open' && !this.#isFull)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure !== null) throw this.#failure;
    const part = this.#part;
    this.#empty();
    return part;
  }

  /** Forgets what came and what will come. */
  drop(): void {
    if (this.#state === 'open') this.#state = 'dropped';
    clearTimeout(this.#timer);
    this.#empty();
  }

  #end(result: LdapResult): void {
    clearTimeout(this.#timer);
    if (this.#state === 'dropped') return;
    this.#part.result = result;
    this.#state = 'ended';
    this.#wake();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < FULL || this.#isFull || this.#state !== 'open') return;
    this.#isFull = true;
    clearTimeout(this.#timer);
    this.#limits.onFull(true);
    this.#wake();
  }

  #empty(): void {
    this.#part = emptyPart();
    this.#bytes = 0;
    if (!this.#isFull) return;
    this.#isFull = false;
    if (this.#state === 'open') this.#startTimer();
    this.#limits.onFull(false);
  }

  #startTimer(): void {
    this.#timer = setTimeout(this.#limits.onExpired, this.#limits.timeout);
  }
}

function emptyPart(): AnswerPart {
  return { entries: [], references: [], told: [], result: null };
}
