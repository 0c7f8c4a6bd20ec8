import { ServiceError, type RefusedError } from '../../domain/errors.ts';

/** How many refusals are borne: a service that refuses more tells about nobody. */
const MOST_REFUSED = 100;

/** How many unreadable accounts are borne: with more of them, the service cannot be read to its end. */
const MOST_UNREADABLE = 5;

/** Accounts of ours that are not in the list of employees, and whose own records tell nothing either. */
export class UnclearAccounts {
  readonly #refused = new Set<string>();
  readonly #unreadable = new Set<string>();

  /** Counts an account of which the service refuses to tell. Throws a ServiceError where there are too many. */
  refused(username: string, refusal: RefusedError): void {
    if (this.#refused.size === MOST_REFUSED) throw new ServiceError(refusal.message, { cause: refusal });
    this.#refused.add(username);
  }

  /** Counts an account whose record cannot be read. Throws a ServiceError where there are too many. */
  unreadable(username: string, reason: string): void {
    if (this.#unreadable.size === MOST_UNREADABLE) throw new ServiceError(reason);
    this.#unreadable.add(username);
  }
}
