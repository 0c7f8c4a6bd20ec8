import { SourceError } from '../../domain/errors.ts';
import type { RefusedSecret } from '../../domain/ports/ledger/ledger-facts.ts';
import { sourceProblem } from './source-problems.ts';
import { digest } from '../../lib/digest.ts';

/** The source refuses this name or secret. */
export class RefusedSecretError extends SourceError {}

const FIRST_PAUSE_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 8 * 60 * 60_000;

/** Where refusals are remembered, by account. */
export interface RefusalStore {
  /** Returns what tells one secret from another. */
  readonly of: (secret: string) => string;
  readonly get: (account: string) => RefusedSecret | undefined;
  /** `null`: forgets it. */
  readonly set: (account: string, refused: RefusedSecret | null) => void;
}

function inMemory(): RefusalStore {
  const all = new Map<string, RefusedSecret>();
  return {
    of: digest,
    get: (account) => all.get(account),
    set: (account, refused) => void (refused === null ? all.delete(account) : all.set(account, refused)),
  };
}

/**
 * The secrets that were refused. The same one is not tried again for a while, which doubles each time: directories lock
 * an account after a few wrong tries. Another secret is tried at once.
 */
export class Refusals {
  readonly #now: () => number;
  #store = inMemory();
  /** Accounts whose secret was taken. */
  readonly taken = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers them there, until the function that it returns is called. */
  keepIn(store: RefusalStore): () => void {
    const before = this.#store;
    this.#store = store;
    return () => void (this.#store = before);
  }

  /**
   * Tries a secret, unless it is too early: then throws a SourceError.
   * @param account name and server, as a person knows them
   */
  async tried<T>(account: string, secret: string, open: () => Promise<T>): Promise<T> {
    const store = this.#store;
    const of = store.of(secret);
    const before = store.get(account);
    const last = before?.of === of ? before : undefined;
    if (last !== undefined && this.#isEarly(last)) throw tooEarly(last);
    try {
      const opened = await open();
      if (before !== undefined) store.set(account, null);
      this.taken.add(account);
      return opened;
    } catch (error) {
      if (error instanceof RefusedSecretError) {
        const times = (last?.times ?? 0) + 1;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
        store.set(account, { of, message: error.message, times, until: this.#now() + pause });
      }
      throw error;
    }
  }

  /** A time that is farther away than any pause was set by a wrong clock. */
  #isEarly({ until }: RefusedSecret): boolean {
    const left = until - this.#now();
    return left > 0 && left <= LONGEST_PAUSE_MS;
  }
}

function tooEarly({ message, until }: RefusedSecret): SourceError {
  const time = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  return sourceProblem('source-secret-early', { refusal: message, time });
}
