import type { Blocked, Change } from '../../changes.ts';
import type { Reason } from '../../reasons/reason.ts';
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

/** A change as it is listed and sent. */
export interface SequencedChange {
  readonly seq: number;
  /** Whether a guard holds the record. */
  readonly isHeld: boolean;
  /** Whether it is sent in this run: it is neither held nor waits. */
  readonly goesOn: boolean;
  /**
   * Hashes that release the change, in the order of the guards: all of them are needed. If it waits for a unit, they are
   * those of the unit. None: it goes on, or nothing releases it.
   */
  readonly hashes: readonly string[];
  readonly change: Change;
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
  readonly why: Reason;
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
  /** Number of sentences about blocked records. */
  readonly blocked: number;
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
  counts(): readonly BucketCount[];
  /**
   * Gathers the unapproved changes of these buckets, for the steps below. Returns what tells what is gathered in one. What
   * is approved for one guard is so for those too that did not hold it when it was listed (promise 13).
   */
  gatherOpen(buckets: readonly string[]): OpenIn;
  /** Returns the gathered changes of people. */
  heldPeople(): Iterable<HeldPerson>;
  /** Returns people who have a working account. */
  peopleAtWork(): Iterable<Crowded>;

  /** Holds the records of all that is gathered. `hashes` are those of the buckets. */
  hold(hashes: ReadonlyMap<string, string>): void;
  /**
   * Lists a change in place of the one that was planned; `waitsFor`: lets it wait for a unit that these hashes release,
   * listed with its reason and not counted as held; `null`: drops it.
   */
  revise(seq: number, to: Change | { readonly waitsFor: readonly string[] } | null): void;
  /** Lets all changes but these wait for another run. */
  keepOnly(seqs: readonly number[]): void;
}
