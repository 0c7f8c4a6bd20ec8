/**
 * What a record has of what rules decide by: who is active, in scope or protected, or whose partner somebody is. Name of
 * each attribute or column with a value, and a short hash of it; those of partners as `NAME.COLUMN`, groups as
 * `members of DN`.
 */
export type Decisive = Readonly<Record<string, string>>;

/** A record as it was when the ledger last took it over: nothing of it waited then. */
export interface Seen {
  readonly has: Decisive;
  /** Digest of the rules that decided about it, and of the tables that they look things up in. */
  readonly rules: string;
}

/**
 * Why a change follows from no value of its own record:
 * - `absent`: the record had a value of these names, and has none now
 * - `vanished`: the record is new, and nobody has a value of these names any more, which somebody had
 * - `emptied`: these groups had members, and show none now
 * - `edited`: the rules or a table behind them are other ones, and none of its values is
 */
export type Doubt =
  | { readonly is: 'absent' | 'vanished' | 'emptied'; readonly names: readonly string[] }
  | { readonly is: 'edited' };

/** A doubt with the number of changes that it is about. */
export interface CountedDoubt {
  readonly doubt: Doubt;
  readonly count: number;
}

const MEMBERS_OF = 'members of ';

/** Returns what the members of a group are called among names that decide. */
export const membersOf = (group: string): string => `${MEMBERS_OF}${group}`;

/** Returns whether the name stands for the members of a group. */
export const isMembersOf = (name: string): boolean => name.startsWith(MEMBERS_OF);
