import type { Blocked, Change } from '../../domain/changes.ts';
import type { Log } from '../../domain/events.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import type { RunTally } from './run-tally.ts';
import { failureOf } from './call-item.ts';

/** Lists, counts and logs what is not done: `status`, the counts and the exit code are of one list. */
export class Listing {
  readonly #plan: PlanBook;
  readonly #tally: RunTally;
  readonly #log: Log;

  constructor(plan: PlanBook, tally: RunTally, log: Log) {
    this.#plan = plan;
    this.#tally = tally;
    this.#log = log;
  }

  /** Counts a record as failed, and logs it. */
  failed({ subject, id, label: username, reason }: Failure): void {
    this.#tally.failed += 1;
    this.#log.event({ event: 'item.failed', subject, id, username, reason });
  }

  /** Leaves a planned change for a later run, with the reason. */
  block(change: Change, reason: string): void {
    this.blocked(failureOf(change, reason));
  }

  /** Lists a record that is left as it is. */
  blocked(record: Blocked): void {
    const { subject, id, label: username, reason } = record;
    this.#plan.note(record);
    this.#tally.blocked += 1;
    this.#log.event({ event: 'item.blocked', subject, id, username, reason });
  }
}
