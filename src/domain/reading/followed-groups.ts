/** Groups in groups that a read of one directory followed: their members are in scope, or in a unit, because of them. */
export interface FollowedGroups {
  /** Name of the source, where there are several. */
  readonly from?: string;
  /** DNs, sorted. */
  readonly dns: readonly string[];
  /** How many members those of them have that have any; absent: an older rollcall did not look. */
  readonly members?: Readonly<Record<string, number>>;
  /** Groups that are units and members of others, also those that are not found any more; absent: as above. */
  readonly units?: readonly string[];
}

/** From so many members on, a group that shows none is taken for hidden rather than empty. */
export const CROWD = 3;

/** Those of the last complete read, of one source: another one has its own. */
export interface FollowedFact {
  readonly identity: string;
  readonly groups: readonly FollowedGroups[];
}

/** Returns the groups that the last complete read of this source followed. */
export const followedBefore = (fact: FollowedFact | null, identity: string): readonly FollowedGroups[] =>
  fact?.identity === identity ? fact.groups : [];

/** Returns the groups that had enough members in the last complete read to be hidden rather than empty, and show none now. */
export function emptiedSince(
  before: readonly FollowedGroups[],
  now: readonly FollowedGroups[],
): readonly string[] {
  return now.flatMap(({ from, members = {} }) => {
    const known = before.find((one) => one.from === from)?.members ?? {};
    return Object.keys(known).filter((dn) => (known[dn] ?? 0) >= CROWD && !(dn in members));
  });
}

/** Returns a sentence about groups that show no members any more. */
export const describeEmptied = (names: string): string =>
  `${names}: had members in the last complete read, and shows none now. Where more than one person would leave for that ` +
  'reason, that is held: look whether the reading account may still read the members';
