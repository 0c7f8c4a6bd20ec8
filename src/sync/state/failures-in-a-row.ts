import type { CallItem } from '../../domain/ports/ledger/journal.ts';
import { ServiceError } from '../../domain/errors.ts';

const MOST = 5;

type Records = ReadonlySet<string>;

/**
 * Changing calls in a row that ended as failures of the service, their retries used up; any word of it to a changing
 * call, even a no, starts anew. Only calls without a common record are different: the halves of a batch that fails are
 * not, so one culprit never ends a run.
 */
export class FailuresInARow {
  #calls: readonly Records[] = [];

  answered(): void {
    this.#calls = [];
  }

  /** Throws the ServiceError that ends the run at the fifth; its call stays open in the journal. */
  failed(items: readonly Pick<CallItem, 'subject' | 'id'>[], message: string): void {
    const records = new Set(items.map(({ subject, id }) => `${subject} ${id}`));
    this.#calls = [...this.#calls.filter((other) => isApart(other, records)), records];
    if (this.#calls.length < MOST) return;
    throw new ServiceError(
      `The service failed ${MOST} different calls in a row, each tried again: the run ends, the next one goes on ` +
        `from here. The last: ${message}`,
    );
  }
}

function isApart(one: Records, other: Records): boolean {
  return [...other].every((record) => !one.has(record));
}
