import type { Held } from '../../changes.ts';

/** What is held under one hash: what the plan book has gathered of a bucket, or the one thing with this digest. */
export interface HeldGroup {
  readonly held: Held;
  readonly of: { readonly bucket: string } | { readonly digest: string };
}

/** Approvals name changes by digest, so that exactly what was listed is released. */
export interface Approvals {
  /** Returns the digests of all approved changes. */
  digests(): ReadonlySet<string>;
  approve(hash: string, digests: readonly string[], at: number): void;
  /** Something approved under this hash is not settled yet. */
  isKnown(hash: string): boolean;
  /** Approves what the plan book has gathered of this bucket. */
  approveOpen(hash: string, bucket: string, at: number): void;
  /** Approves what the last run held under this hash, where it is still planned. */
  approveListed(hash: string, at: number): void;
  /** Returns those of what is planned now. */
  planned(): ReadonlySet<string>;
  /** Drops approvals of what is no longer planned. */
  keepOnly(digests: ReadonlySet<string>): void;
  /** Drops those of planned changes that this run has sent and that have not failed since. */
  spend(run: string): void;
  /** Drops approvals from before, ms. */
  lapse(before: number): void;
  /** Something was held under this hash by the last run. */
  isListed(hash: string): boolean;
  held(): readonly Held[];
  /** Notes what this run holds. */
  setHeld(groups: readonly HeldGroup[]): void;
  /** Applied since then, ms, without approval, to records that no staged change is for: bucket → records. */
  appliedSince(since: number): ReadonlyMap<string, number>;
}
