import { ofSameSource } from './source-identity.ts';

/** Share of the last complete read that a part must have if nothing else proves its end, in percent. */
export const AT_LEAST_PERCENT = 80;

/** What one query or search of a read delivered, as proof that the read ran to its end. */
export interface SourcePart {
  readonly part: 'units' | 'people' | 'positions' | 'partners' | 'members';
  /** Name of the source, if there are several. */
  readonly from?: string;
  /** Number of raw records delivered. */
  readonly records: number;
  /** People: how many of these the settings leave out, so that they were not yielded; absent: none. */
  readonly leftOut?: number;
  /** LDAP: number of pages read, and result code of the last one; SQL: one. */
  readonly pages: number;
  /** What ended the read: `cookie empty`, `end of rows`. */
  readonly end: string;
  /**
   * Share of the records of the last complete read that this part must have, in percent. A part with fewer
   * may have ended early. Absent: the source itself proves its end.
   */
  readonly atLeastPercent?: number;
  /** LDAP, if the part has several bases: how many records each of them has. */
  readonly bases?: readonly BaseSize[];
}

export interface BaseSize {
  /** DN in canonical spelling. */
  readonly base: string;
  readonly records: number;
}

/** An exclusion of the configuration. */
export interface Exclusion {
  /** Place in the configuration: `source.people.exclude[0]`. */
  readonly place: string;
  readonly text: string;
  /** Whether there is anything that it keeps out. */
  readonly isMatched: boolean;
  /** How many records of the read it kept out; absent: none, or the server did that. */
  readonly leftOut?: number;
}

/** A name in the configuration that is not in the server's schema and that no entry has. */
export interface UnknownAttribute {
  readonly part: SourcePart['part'];
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.email`. */
  readonly places: readonly string[];
  /** Name that was probably meant. */
  readonly suggestion: string | null;
}

/** What never gets smaller in a source that goes on: a read that finds less of it is of an older state, or cut. */
export interface SourceMark {
  /** Tells it from others of the same source. */
  readonly name: string;
  /** Sorts as a text. */
  readonly value: string;
  /** Beginning of the names of all marks that come together: one of them that is missing is a smaller one. */
  readonly group?: string;
  /** What is wrong when the value is smaller than at the last read: subject and verb. */
  readonly behind: string;
  /** Whether it is later than our own clock: then the clock may be behind, and the mark is not. */
  readonly isAhead?: boolean;
}

/** The ledger's fact on marks: values by name, of the last complete read that had each of them. */
export interface MarksFact {
  /** Identity of the source. */
  readonly identity: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Digits of the largest number of 64 bits. */
const DIGITS = 20;

/** Returns a number without a sign as a text that sorts as the number does. */
export const sortable = (digits: string): string => digits.padStart(DIGITS, '0');

/**
 * Returns when a file was written. A time in the future is of a wrong clock, and counts as the time of the read.
 *
 * @param what the file, as a message begins
 */
export function writtenMark(what: string, writtenAt: Date, readAt: Date): SourceMark {
  const isAhead = writtenAt > readAt;
  const value = (isAhead ? readAt : writtenAt).toISOString();
  return { name: `${what} written`, value, isAhead, behind: `${what} is older than at the last read` };
}

/**
 * Returns whether a file ends with a line break: one that did, and does no more, is cut.
 *
 * @param what the file, as a message begins
 */
export function lineBreakMark(what: string, endsLine: boolean): SourceMark {
  const behind = `${what} does not end with a line break, as it did at the last read: it may be cut`;
  return { name: `${what} line break`, value: endsLine ? 'yes' : 'no', behind };
}

/** Groups in groups that a read of one directory followed: their members are in scope, or in a unit, because of them. */
export interface FollowedGroups {
  /** Name of the source, if there are several. */
  readonly from?: string;
  /** DNs, sorted. */
  readonly dns: readonly string[];
  /** How many members those of them have that have any. */
  readonly members: Readonly<Record<string, number>>;
}

/** From so many members on, a group that shows none is taken for hidden rather than empty. */
export const FEWEST_MEMBERS = 3;

/** Those of the last complete read, of one source: another one has its own. */
export interface FollowedFact {
  readonly identity: string;
  readonly groups: readonly FollowedGroups[];
}

/** Returns the groups that the last complete read of this source followed. */
export const followedBefore = (fact: FollowedFact | null, identity: string): readonly FollowedGroups[] =>
  ofSameSource(fact, identity)?.groups ?? [];

/** Returns the groups that had enough members in the last complete read to be hidden rather than empty, and show none now. */
export function emptiedSince(
  before: readonly FollowedGroups[],
  now: readonly FollowedGroups[],
): readonly string[] {
  return now.flatMap(({ from, members }) => {
    const known = before.find((one) => one.from === from)?.members ?? {};
    return Object.keys(known).filter((dn) => (known[dn] ?? 0) >= FEWEST_MEMBERS && !(dn in members));
  });
}

/** Returns a sentence about groups that show no members any more. */
export const describeEmptied = (names: string): string =>
  `${names}: brought members in the last complete read, and none in this one. Where more than one person would leave for ` +
  'that reason, that is held: look whether the group is still in its parent group, and its members can be read';
