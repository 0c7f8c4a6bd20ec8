/** Groups in groups that a read of one directory followed: their members are in scope, or in a unit, because of them. */
export interface FollowedGroups {
  /** Name of the source, where there are several. */
  readonly from?: string;
  /** DNs, sorted. */
  readonly dns: readonly string[];
}

/** Those of the last complete read, of one source: another one has its own. */
export interface FollowedFact {
  readonly identity: string;
  readonly groups: readonly FollowedGroups[];
}

/** Returns the groups that the last complete read of this source followed. */
export const followedBefore = (fact: FollowedFact | null, identity: string): readonly FollowedGroups[] =>
  fact?.identity === identity ? fact.groups : [];
