/**
 * Attributes that tell who belongs to a group: of the group (RFC 4519, sections 2.17 and 2.40; RFC 2307, section 2.2), or
 * `memberOf` of its members.
 */
export const MEMBERS_BY = ['member', 'uniqueMember', 'memberUid', 'memberOf'] as const;
export type MembersBy = (typeof MEMBERS_BY)[number];

/**
 * What a group in a group means. `units`: it is the unit below; `people`: its people belong to the outer one too; `none`:
 * nothing. With the first two, the people of a group that is no unit count as those of the group that holds it.
 */
export const NESTED = ['units', 'people', 'none'] as const;

export interface GroupMembers {
  readonly by: MembersBy;
  /** Attribute of people that values of `memberUid` are compared with; absent: `uid`. */
  readonly compare?: string | undefined;
  readonly nested: (typeof NESTED)[number];
  /** Number of groups, each in the next one, after which a read gives up. */
  readonly depth: number;
}

export const NESTED_DEPTH = 10;

/**
 * Name under which rules of people read the groups that they belong to, as DNs: those of `source.units`. No attribute of
 * a directory has an underscore in its name.
 */
export const UNIT_GROUPS = 'unit_groups';

/** Name under which rules of units read the group that this one is in, as a DN. */
export const PARENT_GROUP = 'parent_group';
