import type { Spot } from '../records/recognition.ts';

/** Groups in groups that a read of one directory followed: their members are in scope, or in a unit, because of them. */
export interface FollowedGroups {
  /** Name of the source, where there are several. */
  readonly from?: string;
  /** DNs, sorted. */
  readonly dns: readonly string[];
  /** Those of them that have members; absent: an older rollcall did not look. */
  readonly withMembers?: readonly string[];
  /**
   * Places of the members of groups of the scope who are nobody among the people, where they are not too many; absent: as
   * above, or nothing depends on groups.
   */
  readonly nobodies?: readonly Spot[];
  /** Hashes of the `uid` values, folded, by which groups of the scope name such members; absent: as above, or there are none. */
  readonly nobodyUids?: readonly string[];
  /** Groups that are units and members of others, also those that are not found any more; absent: as above. */
  readonly units?: readonly string[];
}

/** Those of the last complete read, of one source: another one has its own. */
export interface FollowedFact {
  readonly identity: string;
  readonly groups: readonly FollowedGroups[];
}

/** Returns the groups that the last complete read of this source followed. */
export const followedBefore = (fact: FollowedFact | null, identity: string): readonly FollowedGroups[] =>
  fact?.identity === identity ? fact.groups : [];

/**
 * Returns the groups that had members in the last complete read, and are still there and have none; where one that had is
 * not there any more, also new ones without members: it may have another DN.
 */
export function emptiedSince(
  before: readonly FollowedGroups[],
  now: readonly FollowedGroups[],
): readonly string[] {
  return now.flatMap(({ from, dns, withMembers = [] }) => {
    const known = before.find((one) => one.from === from);
    const [had, filled, there] = [new Set(known?.withMembers), new Set(withMembers), new Set(dns)];
    const isLost = [...had].some((dn) => !there.has(dn));
    const isNew = (dn: string): boolean => known?.dns.includes(dn) === false;
    return dns.filter((dn) => !filled.has(dn) && (had.has(dn) || (isLost && isNew(dn))));
  });
}

/** Returns a sentence about groups that show no members any more. */
export const describeEmptied = (names: string): string =>
  `${names}: had members in the last complete read, and shows none now. Where more than one person would leave for that ` +
  'reason, that is held: look whether the reading account may still read the members';
