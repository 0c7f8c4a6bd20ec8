/** Vendors of directories, as `source.vendor` names them; their table is in `directories/vendors.ts`. */
export const VENDOR_NAMES = ['activeDirectory', 'samba', 'openldap', '389', 'freeipa'] as const;
export type VendorName = (typeof VENDOR_NAMES)[number];

/** Attributes of a group that name its members (RFC 4519, sections 2.17 and 2.40; RFC 2307, section 2.2). */
export const MEMBERS_BY = ['member', 'uniqueMember', 'memberUid'] as const;
export type MembersBy = (typeof MEMBERS_BY)[number];

/**
 * What a group in a group means. `units`: it is the unit below; `people`: its people belong to the outer one too. The
 * people of a group that is no unit count as those of the group that holds it.
 */
export const NESTED = ['units', 'people'] as const;

export interface GroupMembers {
  readonly by: MembersBy;
  readonly nested: (typeof NESTED)[number];
}

/**
 * Name under which rules of people read the groups that they belong to, as DNs: those of `source.units`. No attribute of
 * a directory has an underscore in its name.
 */
export const UNIT_GROUPS = 'unit_groups';

/** Name under which rules of units read the group that this one is in, as a DN. */
export const PARENT_GROUP = 'parent_group';

/** What the settings of CSV files can choose from; the schema and the source share these lists. */

export const CSV_ENCODINGS = ['utf-8', 'gbk', 'gb18030', 'latin1', 'utf-16le'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

export const CSV_SEPARATORS = ['auto', ',', ';', 'tab', '|'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/** Where a query has the time of the last read; `::changedSince` is a cast, and `a:changedSince` no name of ours. */
export const CHANGED_SINCE = /(?<![\w:]):changedSince\b/gu;

/** Returns whether the query asks since when. */
export const asksSince = (query: string): boolean => query.search(CHANGED_SINCE) >= 0;
