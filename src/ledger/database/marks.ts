/** What one run notes of ids, usernames and keys. */
export type Mark =
  /** People who are out of scope; note: JSON of what the record had of the names that decide. */
  | 'leftOut'
  | 'protectedNow'
  /** People whose records all say that they have left, and one of the records cannot be used. */
  | 'hasLeft'
  /** People who have left, for the list of those who are still inside; note: how it is known. */
  | 'leaver'
  /** People who need a decision. */
  | 'todo'
  /**
   * People for whom something waits (a held change, an unusable record, a miss); note: 0 for those who are
   * only named as left inside.
   */
  | 'waits'
  /** People for whom this plan makes a change that only their own record may cause. */
  | 'acted'
  /** Ids of people of ours without what hides a difference; note: the id. */
  | 'nearId'
  /** Usernames to ask the employees list for; note: in which round. */
  | 'ask'
  /** Usernames of which it is unclear whose they are; note: why. */
  | 'unclear';

/** The table of marks, in staging. */
export const MARK_TABLE =
  'staging.mark (mark TEXT NOT NULL, key TEXT NOT NULL, note TEXT, PRIMARY KEY (mark, key)) WITHOUT ROWID';

/** Selects what is marked: `key`, `note`. */
export const marked = (mark: Mark): string => `(SELECT key, note FROM staging.mark WHERE mark = '${mark}')`;

/** Whether a column has a marked key. */
export const isMarked = (mark: Mark, column: string): string =>
  `EXISTS (SELECT 1 FROM staging.mark m WHERE m.mark = '${mark}' AND m.key = ${column})`;

/** Marks what is selected, a key and a note; what is marked already stays as it is. */
export const markAll = (mark: Mark, select: string, note = 'NULL'): string =>
  `INSERT OR IGNORE INTO staging.mark SELECT '${mark}', key, ${note} FROM (${select}) WHERE true`;

/** Marks a key, the first value, with a note, the second, in place of an earlier one. */
export const markOne = (mark: Mark): string => `INSERT OR REPLACE INTO staging.mark VALUES ('${mark}', ?, ?)`;

/** Takes all marks of a kind away, to which a condition may be added. */
export const unmark = (mark: Mark): string => `DELETE FROM staging.mark WHERE mark = '${mark}'`;
