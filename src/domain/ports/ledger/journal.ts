import type { Change, PersonChange } from '../../changes.ts';
import type { HistoryRecord } from '../history.ts';
import type { Failure } from './troubles.ts';
import type { Fields } from '../../records/fields.ts';
import type { UnitPayload } from '../../records/payload.ts';

/** A changing call as it is written down before it is sent. */
export interface CallEntry {
  readonly operation: Operation;
  readonly items: readonly CallItem[];
}

/** One record of a changing call. */
export interface CallItem {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** Buckets in which guards count it. */
  readonly buckets: readonly string[];
  /** Whether a person approved it: then guards do not count it with later changes. */
  readonly isApproved: boolean;
  /**
   * Change after which a record found under its identity is ours, or in doubt; `null`: work on a node that
   * was ours before.
   */
  readonly claims: Change | null;
  /** What the history keeps of it, once it is done; without it, nothing. */
  readonly record?: HistoryRecord;
}

export interface OpenCall {
  readonly call: number;
  /** The run that sent it. */
  readonly run: string;
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
      /** The serial number that the call has set; absent: the one that the unit was claimed with. */
      readonly serialNo?: string;
    }
  | { readonly is: 'unitGone'; readonly id: string }
  /** Something was done to a unit's node that the ledger does not have to keep. */
  | { readonly is: 'noted'; readonly id: string }
  /** A node is gone that the unit `id` has left. */
  | { readonly is: 'swept'; readonly id: string; readonly orgId: string }
  | { readonly is: 'imported'; readonly id: string; readonly change: PersonChange }
  /** Something was sent again after an import that the ledger does not have to keep. */
  | { readonly is: 'modified'; readonly id: string }
  | { readonly is: 'disabled'; readonly id: string; readonly at: number }
  | { readonly is: 'enabled'; readonly id: string }
  | { readonly is: 'personGone'; readonly id: string }
  /** The account is gone, but not removed by us: if it shows up again, it is what it was. */
  | { readonly is: 'vanished'; readonly id: string }
  /** An interrupted run did not finish the record: the next run compares it even if its hash is unchanged. */
  | { readonly is: 'reopened'; readonly id: string }
  | { readonly is: 'failed'; readonly failure: Failure; readonly at: number }
  /** The service says that it is done, but does not show it; if it shows it later, it was our work. */
  | { readonly is: 'unconfirmed'; readonly failure: Failure; readonly at: number }
  /** It is unknown whether the work was done: the next run reads before it decides. */
  | { readonly is: 'doubt'; readonly failure: Failure; readonly at: number };

/** Changing calls: written down before they are sent, settled together with the ledger (promise 6). */
export interface Journal {
  /**
   * Writes the call down in one transaction, and checks the fence: throws when the lease is lost. Returns the
   * call's number.
   */
  open(entry: CallEntry): number;
  /** Settles the call and the ledger together, in one transaction. */
  settle(call: number, settlements: readonly Settlement[]): void;
  unsettled(): readonly OpenCall[];
  /** Returns the latest calls of a record, latest first. */
  callsOf(subject: 'unit' | 'person', id: string, limit: number): readonly PastCall[];
}

export interface PastCall {
  readonly at: number;
  readonly run: string;
  readonly operation: Operation;
  readonly outcome: string;
}

/** Calls that change the service, as the journal names them. */
export type Operation =
  | 'org.import'
  | 'org.modify'
  /** The node that a unit leaves gets another serial number. */
  | 'org.retag'
  | 'org.delete'
  /** The picture of a logo is uploaded. */
  | 'media.upload'
  /** The node that a moved unit has left is renamed out of the way, or deleted. */
  | 'org.sweep'
  | 'employee.import'
  /** Removes an old position that an import has left. */
  | 'employee.modify'
  /** Nothing is sent: the account vanished from the service. */
  | 'employee.forget'
  | 'employee.remove'
  | 'employee.disable'
  | 'employee.enable';
