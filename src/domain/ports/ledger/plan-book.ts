import type { Blocked, Change } from '../../changes.ts';
import type { CountedDoubt } from '../../records/records.ts';
import type { Note } from './troubles.ts';

/** A planned change, with facts about it that are asked for again and again. */
export interface PlannedChange {
  readonly change: Change;
  /** Label as guards show it: `username (Display Name)`, or `name (id)` of a unit. */
  readonly label: string;
  /** Digest of the line that the plan's hash covers. */
  readonly digest: string;
  /** Whether an account or node of others becomes ours, or would if the person had not left. */
  readonly isAdoption: boolean;
  readonly counted: readonly CountedChange[];
}

/** A change as one guard counts it. */
export interface CountedChange {
  /** Guard and subject; for something that turns empty, a bucket of its own. */
  readonly bucket: string;
  /** Digest that an approval names. */
  readonly digest: string;
  /**
   * - `empties`: the bucket counts a thing that turns empty
   * - `answered`: the change does nothing but empty: if all of that is held or approved, this bucket does not count it
   */
  readonly role: 'plain' | 'empties' | 'answered';
}

/** Changes of one bucket. */
export interface BucketCount {
  readonly bucket: string;
  readonly approved: number;
  /** Number of changes that are not approved: they are held if the guard trips. */
  readonly open: number;
}

export interface ChangeQuery {
  readonly subject: 'unit' | 'person';
  readonly kinds: readonly Change['kind'][];
  readonly after: number;
  readonly limit: number;
}

/**
 * A change as it is listed and sent. Of a planned change of which a part goes on and a part is held, each part is listed
 * as a change of its own.
 */
export interface SequencedChange {
  readonly seq: number;
  /** Whether a guard holds the whole change. */
  readonly isHeld: boolean;
  /** Whether it is sent in this run: it is neither held nor waits. */
  readonly goesOn: boolean;
  /**
   * Hashes that release the change: all of them are needed if it is held, and any of them is enough if it only
   * waits for others that are held. None: it goes on, or nothing releases it.
   */
  readonly hashes: readonly string[];
  readonly change: Change;
}

/** A part of a planned change, and the hashes that all have to be approved before it is sent; none: it goes on. */
export type ChangePart = Pick<SequencedChange, 'change' | 'hashes'>;

/** What a guard holds of a planned change, and the hash that releases it. */
export interface OpenPart extends Pick<CountedChange, 'bucket'> {
  readonly hash: string;
}

/** A change that a guard holds at least in part. */
export interface OpenChange extends Pick<SequencedChange, 'seq' | 'change'> {
  readonly open: readonly OpenPart[];
}

/** What many people may have in common. */
export interface Crowded {
  /** As last sent; of a new person, as they would be sent. */
  readonly units: readonly string[];
  /** The part of the source that last brought the person, see `Placed.broughtBy`; `null`: there is one alone. */
  readonly base: string | null;
}

/** A change that is gathered in a bucket, and its person. */
export interface HeldPerson extends Crowded {
  readonly bucket: string;
  /** Whether the person has a working account. */
  readonly isAtWork: boolean;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
  readonly why: string;
}

/** Which changes are meant: all, those that a guard holds, or those of units, which are few. */
export type Which = 'all' | 'held' | 'units';

/** What is gathered in a bucket. */
export interface Open {
  /** Labels of the first changes. */
  readonly first: readonly string[];
  readonly digests: Iterable<string>;
  /** Why nothing explains the changes, the most frequent first. */
  readonly doubts: readonly CountedDoubt[];
}

/** Returns what is gathered in a bucket, with so many labels and doubts at most. */
export type OpenIn = (bucket: string, atMost: { readonly first: number; readonly doubts: number }) => Open;

/** How many changes there are. */
export interface PlanTotals {
  readonly held: number;
  /** Number of changes that are neither held nor wait. */
  readonly flowing: number;
  /** How many records of each subject become ours. */
  readonly adopted: Readonly<Record<'unit' | 'person', number>>;
}

/**
 * The plan of one run: every decision, what guards count in it, and what becomes of it. It is gone when the
 * run ends. Its order is `subject, id`, then the order of the decisions.
 */
export interface PlanBook {
  add(planned: PlannedChange): void;
  /** Writes down a sentence about a record; without a kind, that it is blocked. */
  note(note: Blocked & Partial<Note>): void;
  blockedRecords(): readonly Blocked[];
  blockedCount(): number;
  /** Returns the ids of people of whom nothing goes on. */
  blockedPeople(): readonly string[];

  /** Returns the digests of all changes, in the order of the plan. */
  digests(): Iterable<string>;
  /** Returns the changes in the order of the plan; all, if nothing is said. */
  sequencedChanges(which?: Which): Iterable<SequencedChange>;
  /**
   * Returns changes that are neither held nor wait, in the order of the decisions, page by page after
   * `after`.
   */
  changes(query: ChangeQuery): readonly SequencedChange[];
  /** Returns the fields that an update of a person changes, one that is neither held nor waits. */
  updatedFields(record: Pick<Blocked, 'subject' | 'id'>): readonly string[];

  totals(): PlanTotals;
  /**
   * Returns the counts of each bucket.
   * @param emptied buckets of things that turn empty that hold their changes; `null`: not known yet, and
   * `answered` is left out
   */
  counts(emptied: readonly string[] | null): readonly BucketCount[];
  /** Gathers the unapproved changes of these buckets, for the steps below. Returns what tells what is gathered in one. */
  gatherOpen(buckets: readonly string[], emptied: readonly string[]): OpenIn;
  /** Returns the gathered changes of people. */
  heldPeople(): Iterable<HeldPerson>;
  /** Returns people who have a working account. */
  peopleAtWork(): Iterable<Crowded>;

  /**
   * Holds gathered changes of which no part goes on. Returns the others: those that empty something. `hashes` are those of the buckets.
   */
  holdOpen(hashes: ReadonlyMap<string, string>): Iterable<OpenChange>;
  /**
   * Holds a change, drops it, or marks it as one that waits for something held: it is listed with its reason instead of
   * counted as held.
   */
  stop(seq: number, as: 'held' | 'waiting' | 'dropped', hashes: readonly string[]): void;
  /**
   * Holds, with each unit whose move is held, the changes that only follow from it: the units below it move
   * with it.
   */
  holdCaused(): void;
  /** Lists the parts of a change in its place, first the one that goes on, if any. */
  divide(seq: number, parts: readonly [ChangePart, ...ChangePart[]]): void;
  /** Lets all changes but these wait for another run. */
  keepOnly(seqs: readonly number[]): void;
}
