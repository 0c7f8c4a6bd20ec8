import type { Held } from '../../changes.ts';

/**
 * What is held under one hash: the changes that the plan book has gathered for a bucket, or the one thing
 * with this digest.
 */
export interface HeldGroup {
  readonly held: Held;
  readonly of: { readonly bucket: string } | { readonly digest: string };
}

/** The approvals of the ledger. They name changes by digest, so that exactly what was listed is released. */
export interface Approvals {
  /** Returns the digests of all approved changes. */
  digests(): ReadonlySet<string>;
  approve(hash: string, digests: readonly string[], at: number): void;
  /** Returns whether something approved under this hash is not settled yet. */
  isKnown(hash: string): boolean;
  /** Approves what the plan book has gathered for this bucket. */
  approveOpen(hash: string, bucket: string, at: number): void;
  /** Approves what the last run held under this hash, as far as it is still planned. */
  approveListed(hash: string, at: number): void;
  /** Returns the digests of approved changes that are planned now. */
  planned(): ReadonlySet<string>;
  /** Drops approvals of changes that are no longer planned. */
  keepOnly(digests: ReadonlySet<string>): void;
  /** Drops approvals of changes that this run has sent and that have not failed since. */
  spend(run: string): void;
  /** Drops approvals from before this time, ms. */
  lapse(before: number): void;
  /** Returns whether the last run held something under this hash. */
  isListed(hash: string): boolean;
  held(): readonly Held[];
  /** Notes what this run holds. */
  setHeld(groups: readonly HeldGroup[]): void;
  /**
   * Returns how many records were changed without approval since this time, ms, by bucket: only records that
   * have no staged change now.
   */
  appliedSince(since: number): ReadonlyMap<string, number>;
}
