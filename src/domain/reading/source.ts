import type { Exclusion, FollowedGroups, SourceMark, SourcePart, UnknownAttribute } from './source-part.ts';
import type { Person, PositionRow, Reading, Recognition, Unit } from '../records/records.ts';
import type { FullReadNeeded, IncrementalRead, KeyedReadings } from './increment.ts';
import { listSome, printable } from '../text/printable.ts';

export interface SourceEvidence {
  /** Kind of the source; of a database, which one. */
  readonly type: string;
  /** What makes all parts one consistent snapshot; `none` for LDAP. */
  readonly snapshot: string;
  readonly parts: readonly SourcePart[];
  /**
   * Unknown attributes. Fields that read one of them are not mapped in this read, so that no value is cleared
   * because of them.
   */
  readonly unknown: readonly UnknownAttribute[];
  /** Groups in groups that were followed; absent: none can be. */
  readonly followed?: readonly FollowedGroups[];
  /** What the read was decided by, each a sentence: whose server it is, what is no part of it. */
  readonly notes?: readonly string[];
  /** What the administrator should look at, though the read is complete; each a sentence. */
  readonly warnings?: readonly string[];
  /** LDAP: what the settings exclude; absent: nothing is excluded, or the read did not check it. */
  readonly exclusions?: readonly Exclusion[];
  /** LDAP and SCIM: attributes of the rules that no record has, each a sentence; only if every record was decoded. */
  readonly empty?: readonly string[];
  /** What the configuration names and this read has not, each a sentence. */
  readonly unmatched?: readonly string[];
}

export type Readings<T> = AsyncIterable<Iterable<Reading<T>>>;

/**
 * One read of the source. The parts are read one after the other, each to its end, in any order. Every
 * iterable streams with back-pressure, and yields as many records at a time as came together (a page, a fetch
 * of rows): a promise for each record would cost more than its mapping. Each batch has to be read before the
 * next one, and only once. It throws a `SourceError` the moment the read can no longer be complete: what it
 * has yielded until then must not be used.
 */
export interface SourceRead {
  units(): Readings<Unit>;
  /** Returns the rows of a separate positions query; empty if the source has none. */
  positions(): Readings<PositionRow>;
  /** Yields all people, without those that `recognition` knows, if it is given. */
  people(recognition?: Recognition): KeyedReadings;
  /**
   * How it tells what changed since an earlier read, or why it cannot; absent: that is not wanted (`source.changes: off`).
   * People of a full read have their keys then.
   */
  readonly incremental?: IncrementalRead | FullReadNeeded | undefined;
  /** Returns what tells an older state of the source; empty: nothing does. Called before anything is read. */
  marks(): Promise<readonly SourceMark[]>;
  /** Returns the evidence of the parts read so far. */
  evidence(): SourceEvidence;
  /** Throws a SourceError if all of it has to be read again, by what only its end has shown; absent: it never has. */
  requireSettled?(): void;
  close(): Promise<void>;
  /** The pictures of the units' logos, if they are to be sent; they outlast `close`. */
  readonly pictures?: Pictures | undefined;
}

/** Pictures that a read has stored as files. */
export interface Pictures {
  /** Returns the file with the picture of this digest; `null`: the read has none. */
  fileOf(digest: string): string | null;
  /** Removes the files. */
  end(): void;
}

/** A raw record and how it was mapped, for `explain --live`; values of secrets are left out. */
export interface Sample {
  readonly subject: 'unit' | 'person';
  readonly place: string;
  readonly raw: Readonly<Record<string, readonly string[]>>;
  readonly reading: Reading<Unit> | Reading<Person>;
}

/** A raw row of a separate positions query and how it was mapped. */
export interface PositionSample {
  readonly place: string;
  readonly raw: Sample['raw'];
  readonly reading: Reading<readonly PositionRow[]>;
}

/** Port: a directory, a database or files. */
export interface Source {
  /**
   * Fingerprint of everything that decides what a record maps to. If it changes, every record is compared
   * anew.
   */
  readonly fingerprint: string;
  /**
   * What decides about a record besides the record and the fingerprint, as a text: the tables that
   * expressions look things up in. `null`: it depends on something that no text covers, e.g. the time. Then
   * no record can be recognized by its print.
   */
  readonly alsoDecides: string | null;
  /**
   * Digest of the rules that decide who is active or in scope and which partner a person has, and of the
   * tables of `lookups`.
   */
  readonly decides?: string;
  /** Marks of the tables of `lookups`, beside those of each read. */
  readonly tableMarks?: readonly SourceMark[];
  /** What is asked in each part, as a text to be compared: query, base and filter, and the mapping. */
  readonly asks: Readonly<Record<Exclude<SourcePart['part'], 'partners' | 'members'>, string>>;
  /**
   * Identity as `spellIdentity` writes it: another server or database, or another rule for ids, means other
   * records.
   */
  readonly identity: string;
  /** What to look at if too little is read, and how to read more units, in the words of its kind; absent: not known. */
  readonly remedies?: { readonly lookAt: string; readonly widen: string };
  /** Whether positions come from a separate query. */
  readonly hasPositions: boolean;
  /** Names of mapped fields by subject, for the plan and for `explain`: field → rule as written. */
  readonly rules: SourceRules;
  open(signal: AbortSignal): Promise<SourceRead>;
  /**
   * Finds the first 20 records that one of these texts names, in any case: a person by id or username; a unit
   * by id, serial number or name; a refused record also by any of its raw values. Reads that part to its end.
   */
  find(subject: Sample['subject'], texts: readonly string[], signal: AbortSignal): Promise<readonly Sample[]>;
  /**
   * Finds the rows of a separate positions query that name this person; none if people carry their
   * positions.
   */
  findPositions(person: string, signal: AbortSignal): Promise<readonly PositionSample[]>;
}

export interface SourceRules {
  readonly unit: Readonly<Record<string, string>>;
  readonly person: Readonly<Record<string, string>>;
  readonly position: Readonly<Record<string, string>>;
}

/** Returns `mial (source.people.fields.email): did you mean mail?`. */
export function describeUnknown({ name, places, suggestion }: UnknownAttribute): string {
  const meant = didYouMean(name, places.join(), suggestion ?? '', [': ', '']);
  return `${printable(name)} (${listSome(places.map((place) => printable(place)))})${meant}`;
}

/** Returns `did you mean mail?` for a name that is not there, between two signs; a condition may mean a text. */
export function didYouMean(
  name: string,
  place: string,
  near = '',
  [before, after]: readonly [string, string] = [' (', ')'],
): string {
  const text = /\.(?:active|where)\b/u.test(place) ? `the text '${name}'` : '';
  const meant = [near, text].filter((one) => one !== '').join(', or ');
  return meant === '' ? '' : `${before}did you mean ${printable(meant)}?${after}`;
}
