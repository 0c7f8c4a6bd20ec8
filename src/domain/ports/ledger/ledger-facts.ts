import type { Fields } from '../../records/fields.ts';
import type { Unread } from '../service.ts';
import type { Edited } from '../../changes.ts';
import type { NewAccounts } from '../../records/new-accounts.ts';
import type { Operation } from '../operation.ts';
import type { Listed, ListLimits } from '../service.ts';

/** One figure for each list. */
export type ServiceTotals = Readonly<Record<Listed, number | null>>;

/** An account on which it is tried whether an import clears what it leaves out. */
export interface Trial {
  /** Source id. */
  readonly id: string;
  readonly username: string;
  /** Shown before and mapped by nobody: by name, `properties.ID` for one of those. */
  readonly shown: Fields;
  /** Likewise of what is in no form that can be sent back. */
  readonly unread?: Unread;
  /** Imported then, ms, since a person approved it: nothing of it can be given back. */
  readonly approvedAt?: number;
}

/** The ledger's facts that are one value each. */
export interface LedgerFacts {
  /** Service clock, ms: changes before it have been seen. */
  readonly watermark: number;
  readonly lastFull: number;
  /** A full look that was begun and has not ended yet: how often it was tried, and when it is tried again, ms. */
  readonly fullOwed: { readonly tries: number; readonly at: number } | null;
  /**
   * What each list counted in all when it was looked at last, without `refresh_time`: users; of organizations those
   * beyond the view's. `null`: not known.
   */
  readonly totals: ServiceTotals;
  /** The latest time, on the service's clock, after which each list has shown a change; `null`: not known. */
  readonly changedAfter: ServiceTotals;
  /** What the last full look of its own was made for: records, and what they showed. */
  readonly doubted: readonly string[];
  readonly identity: string;
  readonly root: string;
  readonly rootOrgId: string;
  /** A load has ended: from here on joiners are guarded. */
  readonly loaded: boolean;
  /** When a run first tried to load, ms. */
  readonly loadingSince: number;
  /** What was seen of the service: fields that an import leaves out stay, or are cleared. */
  readonly keepsUnmapped: boolean;
  /** Likewise of the properties that an import's list of them leaves out. */
  readonly keepsProperties: boolean;
  /** Accounts on which that is tried, and what they showed before: they get back what they lost. */
  readonly trials: readonly Trial[];
  /** Ids of the service for which a full look was made, since a call found nothing under them. */
  readonly unknownIds: readonly string[];
  readonly newAccounts: NewAccounts;
  /** Operations of which the last run was refused everything, and the service's words. */
  readonly refusedAlike: Readonly<Partial<Record<Operation, string>>>;
  /** As the last run has found them. */
  readonly edited: Edited;
  /** How much the service takes at once, where it refused more, or did not look at it. */
  readonly listLimits: ListLimits;
}
