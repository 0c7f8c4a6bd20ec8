import type { Held } from '../../changes.ts';
import type { SequencedChange } from './plan-book.ts';
import type { Approval, Reply, SettledReply } from '../../records/approval.ts';

/**
 * What is held under one hash: the changes that the plan book has gathered for a bucket, or the one thing
 * with this digest.
 */
export interface HeldGroup {
  readonly held: Held;
  readonly of: { readonly bucket: string } | { readonly digest: string };
}

/** An approval, and its time, ms. */
export interface Given extends Approval {
  readonly at: number;
}

/**
 * Which changes an approval is given for.
 *
 * - `following`: what is planned for a person, but for new accounts, repairs and what loses something: these were not
 *   shown
 * - `open`: what the plan book has gathered for a bucket
 * - `listed`: what the last run held under this hash, as far as it is still planned
 *
 * `among`: only for those of these numbers in the plan; `null`: for all.
 */
export type Meant =
  | { readonly is: 'following'; readonly of: string }
  | { readonly is: 'listed'; readonly among: readonly number[] | null }
  | { readonly is: 'open'; readonly of: string; readonly among: readonly number[] | null };

export interface UnderHash {
  /** How many changes approved under it are not done. */
  readonly left: number;
  /** Whether the last run held something under it, or something approved under it is not done. */
  readonly isKnown: boolean;
  /** Employee ids of the people whose changes the last run held under it. */
  readonly accounts: ReadonlySet<string>;
}

/** A part of what the last run held under a hash. */
export interface Listed {
  /** How many changes there are in all, with those that wait for a held one. */
  readonly total: number;
  /** In the order of the plan. */
  readonly changes: readonly Pick<SequencedChange, 'isHeld' | 'hashes' | 'change'>[];
  /** Names of all units among them, by source id. */
  readonly unitNames: ReadonlyMap<string, string>;
}

/** The approvals of the ledger, and the answers that gave them. They name changes by digest, so that exactly what was listed is released. */
export interface Approvals {
  /** Returns who approved which changes, by digest of the change; `planned`: of those that are planned now. */
  all(which?: 'planned'): ReadonlyMap<string, Approval>;
  approve(given: Given, meant: Meant): void;
  /** Returns what is known of a hash. */
  under(hash: string): UnderHash;
  held(): readonly Held[];
  /** Returns so many of the changes that the hash releases, after the first `after`; none once somebody was forgotten. */
  listed(hash: string, part: { readonly after: number; readonly limit: number }): Listed;
  /**
   * Notes what this run holds.
   *
   * @param kept approvals of changes that are neither planned nor among these digests are dropped; without it, none is
   */
  setHeld(groups: readonly HeldGroup[], kept?: ReadonlySet<string>): void;
  /**
   * Returns how many records were changed without approval since this time, ms, by bucket: only records that
   * have no staged change now.
   */
  appliedSince(since: number): ReadonlyMap<string, number>;

  /**
   * Notes an answer of an approver, which is kept as long as runs are: `open`, no run has taken it yet; `refused`, it
   * released nothing, and never will. Returns whether it is new: a signature counts once. Throws a LedgerBusyError if
   * another process is in the middle of a write.
   */
  addReply(reply: Reply, is?: 'open' | 'refused'): boolean;
  /** Notes which run has taken an answer, and how many of its changes are not done after it. */
  settleReply(reply: Reply, taken: { readonly run: string; readonly left: number | null }): void;
  /** Returns the answers that no run has taken, oldest first; or so many of the last ones that were not refused, newest first. */
  replies(which: 'open' | number): readonly SettledReply[];
}
