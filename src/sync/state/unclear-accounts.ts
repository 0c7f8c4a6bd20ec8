import { ServiceError, type RefusedError } from '../../domain/errors.ts';

/** As many refusals are a service that tells about nobody. */
const MOST_REFUSED = 100;

/** More than a few such accounts are no bad records, but a service that cannot be read to its end. */
const MOST_UNREADABLE = 5;

/** Accounts of ours that are not in the list of employees, and about whom their own record tells nothing either. */
export class UnclearAccounts {
  readonly #refused = new Set<string>();
  readonly #unreadable = new Set<string>();

  /** The service refuses to tell. Throws a ServiceError where it does so of too many. */
  refused(username: string, refusal: RefusedError): void {
    if (this.#refused.size === MOST_REFUSED) throw new ServiceError(refusal.message, { cause: refusal });
    this.#refused.add(username);
  }

  /** The record cannot be read. Throws a ServiceError likewise. */
  unreadable(username: string, reason: string): void {
    if (this.#unreadable.size === MOST_UNREADABLE) throw new ServiceError(reason);
    this.#unreadable.add(username);
  }
}
