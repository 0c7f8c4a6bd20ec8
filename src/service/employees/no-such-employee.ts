import type { RefusedError } from '../../domain/errors.ts';
import type { Client } from '../calls/client.ts';
import { employeeAt } from './employee-at.ts';
import type { Scope } from '../calls/scope.ts';

/**
 * Ids that nobody has: the last but one that a Long can hold, and one as long as the id that was asked for.
 */
const LAST_ID = '9223372036854775806';
const FAR_AHEAD = 1_000_000_007n;
/** Status "no matching employee" (interface, Errors). */
const NO_MATCHING_EMPLOYEE = 202012;
/** Stands for an empty answer, where other services refuse. */
const NOTHING = 0;

/**
 * Learns how the service says that there is no such employee. The interface shows a code for that only with
 * pushed messages, and a refusal may be about something else ("too many requests", "internal error"). So the
 * answer for an id that nobody has is taken as the pattern.
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

  /** Returns whether an empty answer says that there is no such employee. */
  saysNothing(employeeId: string, signal: AbortSignal): Promise<boolean> {
    return this.#isSaid(NOTHING, employeeId, signal);
  }

  async #isSaid(status: number, employeeId: string, signal: AbortSignal): Promise<boolean> {
    if (!this.#codes.has(status)) await this.#learn(LAST_ID, 'last', signal);
    if (!this.#codes.has(status) && /^\d+$/u.test(employeeId))
      await this.#learn(String(BigInt(employeeId) + FAR_AHEAD), 'ahead', signal);
    return this.#codes.has(status);
  }

  /** Asks for an id that nobody has, once for each of them in a process. */
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
