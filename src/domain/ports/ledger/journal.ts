import type { Change, PersonChange } from '../../changes.ts';
import type { Fields } from '../../records/fields.ts';
import type { MovedUnit } from '../../records/moves.ts';
import type { Operation } from '../operation.ts';
import type { UnitPayload } from '../../records/payload.ts';
import type { Failure } from './troubles.ts';

/** A changing call as it is written down before it is sent. */
export interface CallEntry {
  readonly operation: Operation;
  readonly items: readonly CallItem[];
}

/** One record of a changing call. */
export interface CallItem {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** What guards count it under. */
  readonly buckets: readonly string[];
  /** A person approved it: guards do not count it along with later changes. */
  readonly isApproved: boolean;
  /** What is found under its identity from here on is ours, or in doubt. `null`: work on a node that was ours before. */
  readonly claims: Change | null;
}

export interface OpenCall {
  readonly call: number;
  readonly operation: Operation;
  readonly items: readonly { readonly subject: 'unit' | 'person'; readonly id: string }[];
}

/** What became of one record of a call, as the ledger is to hold it. */
export type Settlement =
  | {
      readonly is: 'unit';
      readonly id: string;
      readonly orgId: string;
      readonly sent: UnitPayload;
      readonly accepted: Fields | null;
      /** Of a node that was made just now: see `UnitEntry`. */
      readonly made?: Fields;
    }
  | { readonly is: 'unitGone'; readonly id: string }
  | MovedUnit
  /** The unit's node has a temporary name, to make room for another one's. */
  | { readonly is: 'aside'; readonly id: string; readonly name: string }
  /** Done to a unit's node, and nothing that the ledger has to hold. */
  | { readonly is: 'noted'; readonly id: string }
  /** An old node is gone; of `id` only the unit that has left it is known. */
  | { readonly is: 'swept'; readonly id: string; readonly orgId: string }
  | { readonly is: 'imported'; readonly id: string; readonly change: PersonChange }
  /** Sent again after an import, and nothing that the ledger has to hold. */
  | { readonly is: 'modified'; readonly id: string }
  | { readonly is: 'disabled'; readonly id: string; readonly at: number }
  | { readonly is: 'enabled'; readonly id: string }
  | { readonly is: 'personGone'; readonly id: string }
  /** Not removed by us: where it shows up again, it is what it was. */
  | { readonly is: 'vanished'; readonly id: string; readonly at: number }
  /** Of an interrupted run: compared anew, whatever its hash says. */
  | { readonly is: 'reopened'; readonly id: string }
  | { readonly is: 'failed'; readonly failure: Failure; readonly at: number }
  /** The service says that it is done and does not show it; where it shows it later, it was ours. */
  | { readonly is: 'unconfirmed'; readonly failure: Failure; readonly at: number }
  /** Whether it was done is not known: the next run reads before it decides. */
  | { readonly is: 'doubt'; readonly failure: Failure; readonly at: number };

/** Changing calls: written down before they are sent, settled together with the ledger (promise 6). */
export interface Journal {
  /** One transaction, and the fence: throws when the lease is lost. Returns the call's number. */
  open(entry: CallEntry): number;
  /** One transaction: the call and the ledger together. */
  settle(call: number, settlements: readonly Settlement[]): void;
  unsettled(): readonly OpenCall[];
  /** The latest calls of a record, latest first. */
  callsOf(subject: 'unit' | 'person', id: string, limit: number): readonly PastCall[];
  /** Forgets calls that were settled before `before`, ms. */
  prune(before: number): void;
}

export interface PastCall {
  readonly at: number;
  readonly run: string;
  readonly operation: Operation;
  readonly outcome: string;
}
