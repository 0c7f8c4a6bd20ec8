import { recordKey } from '../../domain/changes.ts';
import type { CallItem } from '../../domain/ports/ledger/journal.ts';
import { serviceRunProblem } from '../../domain/run-problems.ts';

const MOST = 5;

type Records = ReadonlySet<string>;

/**
 * Changing calls in a row that ended as failures of the service, all their tries used up. Any answer to a changing
 * call, even a refusal, starts the count again. Only calls without a common record count as different. The two halves
 * of a failed batch have a record in common with the batch, so one bad record never ends a run.
 */
export class FailuresInARow {
  #calls: readonly Records[] = [];

  answered(): void {
    this.#calls = [];
  }

  /**
   * Counts a failed call. The fifth in a row throws the ServiceError that ends the run; its call stays open in the
   * journal.
   */
  failed(items: readonly Pick<CallItem, 'subject' | 'id'>[], message: string): void {
    const records = new Set(items.map(recordKey));
    this.#calls = [...this.#calls.filter((other) => isApart(other, records)), records];
    if (this.#calls.length < MOST) return;
    throw serviceRunProblem('service-fails', { calls: MOST, words: message });
  }
}

function isApart(one: Records, other: Records): boolean {
  return [...other].every((record) => !one.has(record));
}
