import type { Blocked, Change } from '../../changes.ts';

/** A planned change, with what is asked of it over and over. */
export interface Planned {
  readonly change: Change;
  /** As a guard names it: `username (id)` or `name (id)`. */
  readonly label: string;
  /** Of the line that the plan's hash covers. */
  readonly digest: string;
  /** An account or node of others becomes ours, or would if it had not left. */
  readonly isAdoption: boolean;
  /** The change, and what happens while a guard holds it, and so on. */
  readonly parts: number;
  readonly counted: readonly Counted[];
}

/** A change under one guard. */
export interface Counted {
  /** 0: the change itself; 1: what happens while a guard holds it, and so on. */
  readonly part: number;
  /** Guard and subject; of what turns empty, each thing on its own. */
  readonly bucket: string;
  /** What an approval names. */
  readonly digest: string;
  readonly label: string;
  /**
   * - `empties`: the bucket counts a thing that turns empty
   * - `answered`: the change does nothing but empty: where all of that is held or approved, this bucket does not count it
   */
  readonly role: 'plain' | 'empties' | 'answered';
}

/** Changes of one bucket. */
export interface BucketCount {
  readonly bucket: string;
  readonly approved: number;
  /** Not approved: held, where the guard trips. */
  readonly open: number;
}

export interface ChangeQuery {
  readonly subject: 'unit' | 'person';
  readonly kinds: readonly Change['kind'][];
  readonly after: number;
  readonly limit: number;
}

export interface SequencedChange {
  readonly seq: number;
  /** A guard holds all of it. */
  readonly isHeld: boolean;
  readonly change: Change;
}

/** A change of which a guard holds something, and what: parts and buckets. */
export interface OpenChange {
  readonly seq: number;
  readonly change: Change;
  isOpen(part: number, bucket: string): boolean;
}

/**
 * The plan of one run: every decision, what guards count of it, and what becomes of it; gone when the run ends. Its order
 * is `subject, id`, then that of the decisions.
 */
export interface PlanBook {
  add(planned: Planned): void;
  blocked(blocked: Blocked): void;
  blockedRecords(): readonly Blocked[];

  /** Returns the digests of all changes, in the order of the plan. */
  digests(): Iterable<string>;
  /** Returns the labels of the first changes. */
  first(atMost: number): readonly string[];
  /** Returns all changes in the order of the plan. */
  allChanges(): Iterable<Change>;
  sequencedChanges(): Iterable<SequencedChange>;
  /** Returns what is neither held nor waits, in the order of the decisions, page by page after `after`. */
  changes(query: ChangeQuery): readonly SequencedChange[];
  /** Returns all of units in the order of the decisions: few, and parents before their children. */
  unitChanges(): readonly SequencedChange[];

  /** How many of each subject become ours. */
  adoptions(): Readonly<Record<'unit' | 'person', number>>;
  /** @param emptied buckets of what turns empty that hold their changes; `null`: not known yet, and `answered` is left out */
  counts(emptied: readonly string[] | null): readonly BucketCount[];
  /** Gathers what is not approved of these buckets, for the questions and steps below. */
  gatherOpen(buckets: readonly string[], emptied: readonly string[]): void;
  firstOpen(bucket: string, atMost: number): readonly string[];
  openDigests(bucket: string): Iterable<string>;

  /** Holds what is gathered where nothing of it goes on. */
  holdOpen(): void;
  /** Returns what is gathered of which something goes on, or something else happens meanwhile. */
  openChanges(): Iterable<OpenChange>;
  hold(seq: number): void;
  /** All of the plan. */
  holdAll(): void;
  /** Holds with each unit that is held on its way what only follows from it: those below it move together. */
  holdCaused(): void;
  /** Puts what is left of a change in its place; what was counted, its label and its digest stay those of the plan. */
  replace(seq: number, rest: Change): void;
  /** Waits for something that is held; listed with its reason instead of counted as held. */
  wait(seq: number): void;
  /** Changes that are held, or of which a part is. */
  heldCount(): number;
  /** Changes that are neither held nor wait. */
  flowing(): number;
}
