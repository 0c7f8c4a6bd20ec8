import { SourceError } from '../../domain/errors.ts';
import { digest } from '../../lib/digest.ts';

/** The source refuses this name or secret. */
export class RefusedSecretError extends SourceError {}

const FIRST_PAUSE_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 8 * 60 * 60_000;

interface Refusal {
  /** Digest of the secret. */
  readonly of: string;
  /** What the source said of it. */
  readonly message: string;
  readonly times: number;
  readonly until: number;
}

/**
 * The secrets that were refused. The same one is not tried again for a while, which doubles each time: directories lock
 * an account after a few wrong tries. Another secret is tried at once.
 */
export class Refusals {
  readonly #now: () => number;
  readonly #byAccount = new Map<string, Refusal>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Tries a secret, unless it is too early: then throws a SourceError.
   * @param account name and server, as a person knows them
   */
  async tried<T>(account: string, secret: string, open: () => Promise<T>): Promise<T> {
    const of = digest(secret);
    const before = this.#byAccount.get(account);
    const last = before?.of === of ? before : undefined;
    if (last !== undefined && this.#now() < last.until) throw tooEarly(last);
    try {
      const opened = await open();
      this.#byAccount.delete(account);
      return opened;
    } catch (error) {
      if (error instanceof RefusedSecretError) {
        const times = (last?.times ?? 0) + 1;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
        const { message } = error;
        this.#byAccount.set(account, { of, message, times, until: this.#now() + pause });
      }
      throw error;
    }
  }
}

function tooEarly({ message, until }: Refusal): SourceError {
  const time = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  return new SourceError(
    `${message} The same password is not sent again before ${time} UTC, so that the account is not locked.`,
  );
}
