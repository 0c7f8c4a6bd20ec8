import type { AnyCall, Call } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';

/**
 * Ids that no record has: the last but one that a Long can hold, and one as long as the id that was asked
 * for.
 */
const LAST_ID = '9223372036854775806';
const FAR_AHEAD = 1_000_000_007n;
/** Stands for an empty answer, where other services refuse. */
export const EMPTY_ANSWER = 0;

/**
 * Learns how the service says that there is no such record. The interface shows a code for that only with other
 * operations, and a refusal may be about something else ("too many requests", "internal error"). So the answer for an id
 * that no record has is taken as the pattern.
 */
export class AbsenceCodes {
  readonly #client: Client;
  readonly #at: (id: string) => AnyCall;
  readonly #codes: Set<number>;
  readonly #learned = new Map<string, Promise<void>>();

  /** @param known the status that is known to say so */
  constructor(client: Client, known: number, at: (id: string) => AnyCall) {
    this.#client = client;
    this.#codes = new Set([known]);
    this.#at = at;
  }

  /** Asks for a record; `null`: there is none. Throws a RefusedError that does not clearly say so. */
  async ask<T>(id: string, decode: Call<T>['decode'], signal: AbortSignal): Promise<T | null> {
    const reply = await this.#client.tryCall({ ...this.#at(id), decode }, signal);
    if (reply.ok) return reply.value;
    if (reply.settled && (await this.means(reply.refusal.status, id, signal))) return null;
    throw reply.refusal;
  }

  /** Returns whether the status of a refusal, or `EMPTY_ANSWER`, says that there is no such record. */
  async means(status: number, id: string, signal: AbortSignal): Promise<boolean> {
    if (!this.#codes.has(status)) await this.#learn(LAST_ID, 'last', signal);
    if (!this.#codes.has(status) && /^\d+$/u.test(id))
      await this.#learn(String(BigInt(id) + FAR_AHEAD), 'ahead', signal);
    return this.#codes.has(status);
  }

  /** Asks for an id that no record has, once for each of them in a process. */
  #learn(id: string, which: string, signal: AbortSignal): Promise<void> {
    const known = this.#learned.get(which);
    if (known !== undefined) return known;
    const learning = this.#askFor(id, signal).catch((error: unknown) => {
      // What failed has taught nothing: it is asked for again.
      this.#learned.delete(which);
      throw error;
    });
    this.#learned.set(which, learning);
    return learning;
  }

  async #askFor(id: string, signal: AbortSignal): Promise<void> {
    const call = { ...this.#at(id), decode: isEmptyAnswer };
    const reply = await this.#client.tryCall(call, signal);
    if (reply.ok && reply.value) this.#codes.add(EMPTY_ANSWER);
    if (!reply.ok && reply.settled) this.#codes.add(reply.refusal.status);
  }
}

export function isEmptyAnswer(result: unknown): boolean {
  return result === null || result === undefined;
}
