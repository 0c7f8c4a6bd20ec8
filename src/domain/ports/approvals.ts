import type { Held } from '../changes.ts';

/** Approvals name changes by digest, so that exactly what was listed is released. */
export interface Approvals {
  /** Returns the digests of all approved changes. */
  digests(): ReadonlySet<string>;
  approve(hash: string, digests: readonly string[], at: number): void;
  /** Something approved under this hash is not settled yet. */
  isKnown(hash: string): boolean;
  /** Drops approvals of what is no longer planned. */
  keepOnly(digests: ReadonlySet<string>): void;
  /** `subject id` of what this run has sent and what has not failed since. */
  done(run: string): ReadonlySet<string>;
  drop(digests: readonly string[]): void;
  /** Drops approvals from before, ms. */
  lapse(before: number): void;
  /** Digests that the last run held under this hash. */
  listed(hash: string): readonly string[];
  listedDigests(): readonly string[];
  held(): readonly Held[];
  /** What this run holds, with the digests of each. */
  setHeld(held: readonly Held[], digests: readonly (readonly string[])[]): void;
  /** Applied since then, ms, without approval, to records that no staged change is for: bucket → records. */
  appliedSince(since: number): ReadonlyMap<string, number>;
}
