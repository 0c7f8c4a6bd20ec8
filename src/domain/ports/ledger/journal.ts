import type { Blocked, Change, PersonChange } from '../../changes.ts';
import type { Fields } from '../../records/fields.ts';
import type { MovedUnit } from '../../records/moves.ts';
import type { Operation } from '../operation.ts';
import type { UnitPayload } from '../../records/payload.ts';

export interface Failure {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  readonly label: string;
  /** Words of the service, or ours. */
  readonly reason: string;
  /** Digest of the change that failed: a different change for this record is tried at once. */
  readonly digest?: string;
}

export interface RecordedFailure extends Failure {
  /** `refused`: the service said no; `doubt`: it gave no clear answer. */
  readonly kind: 'refused' | 'doubt';
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A changing call as it is written down before it is sent. */
export interface CallEntry {
  readonly operation: Operation;
  readonly changes: readonly Change[];
  /** Ids in this call that a person approved. */
  readonly approved?: ReadonlySet<string>;
}

export interface OpenCall {
  readonly call: number;
  readonly operation: Operation;
  readonly items: readonly { readonly subject: 'unit' | 'person'; readonly id: string }[];
}

/** What became of one record of a call, as the ledger keeps it. */
export type Settlement =
  | {
      readonly is: 'unit';
      readonly id: string;
      readonly orgId: string;
      readonly sent: UnitPayload;
      readonly accepted: Fields | null;
      /** What a node showed that was made just now: see `UnitEntry`. */
      readonly made?: Fields;
    }
  | { readonly is: 'unitGone'; readonly id: string }
  | MovedUnit
  /** The unit's node has a temporary name, to make room for another unit's. */
  | { readonly is: 'aside'; readonly id: string; readonly name: string }
  /** Something was done to a unit's node that the ledger does not have to keep. */
  | { readonly is: 'noted'; readonly id: string }
  /** An old node is gone; `id` is the unit that has left it. */
  | { readonly is: 'swept'; readonly id: string; readonly orgId: string }
  | { readonly is: 'imported'; readonly id: string; readonly change: PersonChange }
  /** Something was sent again after an import that the ledger does not have to keep. */
  | { readonly is: 'modified'; readonly id: string }
  | { readonly is: 'disabled'; readonly id: string; readonly at: number }
  | { readonly is: 'enabled'; readonly id: string }
  | { readonly is: 'personGone'; readonly id: string }
  /** The account is gone, but not removed by us: if it shows up again, it is what it was. */
  | { readonly is: 'vanished'; readonly id: string; readonly at: number }
  /** An interrupted run left it: it is compared anew, whatever its hash says. */
  | { readonly is: 'reopened'; readonly id: string }
  | { readonly is: 'failed'; readonly failure: Failure; readonly at: number }
  /** The service says that it is done, but does not show it; if it shows it later, it was our work. */
  | { readonly is: 'unconfirmed'; readonly failure: Failure; readonly at: number }
  /** Nobody knows whether it was done: the next run reads before it decides. */
  | { readonly is: 'doubt'; readonly failure: Failure; readonly at: number };

export interface Journal {
  /**
   * Writes the call down in one transaction, and checks the fence: throws when the lease is lost. Returns the
   * call's number.
   */
  open(entry: CallEntry): number;
  /** Settles the call and the ledger together, in one transaction. */
  settle(call: number, settlements: readonly Settlement[]): void;
  unsettled(): readonly OpenCall[];
  failures(): readonly RecordedFailure[];
  failed(failures: readonly Failure[]): void;
  /**
   * Forgets refusals of earlier runs at the end of a complete run, while its staging is there: a refusal is
   * no failure any more where this run neither plans anything for the record nor lists it.
   */
  forgetSettled(): void;
  /** Notes the fields that somebody had edited and that were set back now. */
  repaired(change: Change): void;
  /** Returns the repairs since this time, ms: `subject id field` → how many. */
  repairs(since: number): ReadonlyMap<string, number>;
  /** Returns the records that the last plan left as they are. */
  blocked(): readonly Blocked[];
  setBlocked(blocked: readonly Blocked[]): void;
  callsOf(subject: 'unit' | 'person', id: string, limit: number): readonly PastCall[];
  /** Forgets settled calls and ended runs from before `before`, ms. */
  prune(before: number): void;
}

export interface PastCall {
  readonly at: number;
  readonly run: string;
  readonly operation: Operation;
  readonly outcome: string;
}
