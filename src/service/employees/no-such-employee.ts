import type { RefusedError } from '../../domain/errors.ts';
import type { Client } from '../calls/client.ts';
import { employeeAt } from './employee-at.ts';
import type { Scope } from '../calls/scope.ts';

/** Ids that nobody has: the last that a Long holds but one, and one that is as long as the id which was asked for. */
const LAST_ID = '9223372036854775806';
const FAR_AHEAD = 1_000_000_007n;
/** Interface, Errors: no matching employee. */
const NO_MATCHING_EMPLOYEE = 202012;
/** Of an answer that is nothing, where others refuse. */
const NOTHING = 0;

/**
 * How the service says that there is no such employee. Its code is shown for pushed messages alone, and a refusal may as
 * well be about something else ("too many requests", "internal error"): what is said of an id that nobody has is it.
 */
export class NoSuchEmployee {
  readonly #client: Client;
  readonly #scope: Scope;
  readonly #codes = new Set([NO_MATCHING_EMPLOYEE]);
  readonly #asked = new Map<string, Promise<void>>();

  constructor(client: Client, scope: Scope) {
    this.#client = client;
    this.#scope = scope;
  }

  /** Returns whether this refusal of a question for an employee says that there is none. */
  says({ status }: RefusedError, employeeId: string, signal: AbortSignal): Promise<boolean> {
    return this.#isSaid(status, employeeId, signal);
  }

  /** Returns whether an answer that is nothing says so. */
  saysNothing(employeeId: string, signal: AbortSignal): Promise<boolean> {
    return this.#isSaid(NOTHING, employeeId, signal);
  }

  async #isSaid(status: number, employeeId: string, signal: AbortSignal): Promise<boolean> {
    if (!this.#codes.has(status)) await this.#learn(LAST_ID, 'last', signal);
    if (!this.#codes.has(status) && /^\d+$/u.test(employeeId))
      await this.#learn(String(BigInt(employeeId) + FAR_AHEAD), 'ahead', signal);
    return this.#codes.has(status);
  }

  /** Asks once each in a process. */
  #learn(id: string, which: string, signal: AbortSignal): Promise<void> {
    const asked = this.#asked.get(which) ?? this.#ask(id, signal);
    this.#asked.set(which, asked);
    return asked;
  }

  async #ask(id: string, signal: AbortSignal): Promise<void> {
    const call = { ...employeeAt(this.#scope, id), decode: isNothing };
    const reply = await this.#client.ask(call, signal);
    if (reply.ok && reply.value) this.#codes.add(NOTHING);
    if (!reply.ok && reply.settled) this.#codes.add(reply.refusal.status);
  }
}

export function isNothing(result: unknown): boolean {
  return result === null || result === undefined;
}
