import type { Change } from '../../changes.ts';
import type { Fields } from '../../records/fields.ts';
import type { ComparedPerson } from '../../records/payload.ts';
import type { Decisive, Loss, PositionRow, Print, Refusal, SeenRecord } from '../../records/records.ts';
import type { RecordKey } from '../../reading/increment.ts';
import type { IncrementsFact, Replay, SourceRecord } from '../source-records.ts';

/** A person of the source who is not known to be unchanged; without secrets. */
export interface StagedPerson extends ComparedPerson {
  /** By what the record is recognized in a later read; absent: it is not. */
  readonly print?: Print | null;
  /** The part of the source that brings the person, see `Placed.broughtBy`. */
  readonly broughtBy?: string | null | undefined;
  /**
   * The values that the record has of the names that decide about people; absent or `null`: they were not
   * read.
   */
  readonly has?: Decisive | null;
}

/** By what a record is recognized from now on, what decides about it and what brings it; `null`: as before. */
export interface SeenAs {
  readonly print: Print | null;
  readonly has: Decisive | null;
  readonly broughtBy?: string | null | undefined;
}

/** What staging needs to know of each person as it streams by. */
export interface KnownPerson {
  readonly row: number;
  readonly hash: string | null;
  /** Whether the record must be compared even if its hash is unchanged. */
  readonly open: boolean;
}

/**
 * What else a read brings.
 *
 * - `leftOut`: a person whom `source.people.where` leaves out: their record is here, and not in scope; `has`: as in
 *   `StagedPerson`
 * - `protected`: a person for whom `sync.protect.where` holds
 * - `refused`: a record that cannot be used; `has`: as in `StagedPerson`
 * - `lost`: a field that cannot be read, while the rest of its record goes on
 * - `record`: a record of the source by its key, as the next read may know it again
 * - `present`: a key of the source's list of all keys
 * - `gone`: the key of a record that is gone
 */
export type StagedNote =
  | { readonly is: 'leftOut'; readonly id: string; readonly has: Decisive | null }
  | { readonly is: 'protected'; readonly id: string }
  | { readonly is: 'position'; readonly row: PositionRow }
  | { readonly is: 'refused'; readonly refusal: Refusal; readonly has?: Decisive | undefined }
  | { readonly is: 'lost'; readonly loss: LostField }
  | { readonly is: 'record'; readonly record: SourceRecord }
  | { readonly is: 'present' | 'gone'; readonly key: RecordKey };

/** What the ledger takes over from a complete read, besides the prints of the people. */
export interface CompleteRead {
  /**
   * Digest of `sync.protect.where`; `null`: it is not set. The ledger remembers for whom it holds. People
   * without a record in the read stay protected as long as the expression is the same.
   */
  readonly protectRule: string | null;
  /** Groups that show no members any more. They are noted for all people who are missing for the first time. */
  readonly emptied: string | null;
  /** What the next read can begin with; absent: increments are not wanted. */
  readonly increments?: KeptRecords | undefined;
}

/** What becomes of the records that are known by their keys: the read has brought all of them, or what changed. */
export interface KeptRecords {
  readonly records: 'all' | 'changes' | 'none';
  readonly fact: IncrementsFact;
}

/** What does not fit together in an increment; `null`: nothing. */
export interface Misfits {
  /** A key that several of the brought records have. */
  readonly shared: RecordKey | null;
  /** A key that the list of all keys has twice. */
  readonly listedTwice: RecordKey | null;
  /** A key of a record that was brought, and is gone. */
  readonly contradiction: RecordKey | null;
  /** How many of the records that were asked for were neither brought nor gone. */
  readonly missing: number;
}

/** The records of the last read that stay as they were. */
export interface Standing {
  /** How many are of people whom the ledger knows by them; these are marked as seen. */
  readonly seen: number;
  /** What the others come to. */
  readonly replays: Iterable<{ readonly print: Print; readonly replay: Replay }>;
}

/** Local copy of what the source delivers in this run; it is gone when the run ends. */
export interface SourceStage {
  begin(): void;
  /** Returns what the ledger knows of a person, by source id. */
  known(id: string): KnownPerson | undefined;
  /** Returns the id of a known person that is nearly this one: see `looseId`. */
  near(id: string): string | null;
  /**
   * Marks the people of these prints as seen unchanged. Returns for each print whether it is that of a
   * person, who then needs no decision. One look-up for a page costs a third of one for each record.
   */
  recognize(prints: readonly (Print | null)[]): readonly boolean[];
  /** Marks a person as seen unchanged. */
  seen(row: number, as: SeenAs): void;
  /** Stages a person; `secrets` are kept encrypted with a key that only this process has. */
  person(person: StagedPerson, secrets: Fields): void;
  note(noted: StagedNote): void;
  /**
   * Puts these in place of all that was read of these people, and takes all other managed people for unchanged. Secrets
   * stay only if they are those that were sent.
   */
  pin(people: readonly StagedPerson[]): void;
  positionsOf(person: string): readonly PositionRow[];
  /** Returns whether a person's record names a unit that cannot be used, beside others. */
  namesLostUnit(person: string): boolean;
  /**
   * Begins an increment: returns at most so many keys of records of the last read whose result is unknown until they are
   * read again.
   */
  again(atMost: number): readonly RecordKey[];
  /**
   * Called after the last key that is present: returns keys that no read has brought, at most so many. Records of the last
   * read that are not present count as gone.
   */
  unread(atMost: number): readonly RecordKey[];
  /** Looks through the records of this read, of which these were asked for. */
  misfits(asked: readonly RecordKey[]): Misfits;
  /** Called once, when nothing is a misfit. */
  standing(): Standing;
  /**
   * Ends the read: builds indexes, then finds records that share an id or a username. Yields between its steps; returns
   * how many records the read brought.
   */
  finish(): Iterator<void, StagedCounts>;
  /**
   * Takes over what a read has shown that has proven complete: first what people who are unchanged are recognized by.
   * Yields between its steps; what a step did holds also without the next.
   */
  keep(read: CompleteRead): Iterator<void>;
  secretsOf(id: string): Fields;
  /**
   * Returns refused records, without those of people who have left: nothing is needed from these; and fields that cannot
   * be read.
   */
  bad(): { readonly refusals: Iterable<Refusal>; readonly losses: Iterable<LostField> };
  end(): void;
}

export interface LostField extends Loss {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** Username or name. */
  readonly label: string;
}

export interface StagedCounts {
  readonly seen: number;
  readonly staged: number;
  readonly refused: number;
  readonly positions: number;
}

/** What the rules read of each record when nothing of it waited, and what they read of it now. */
export interface Memory {
  /** `null`: the ledger does not know the record. */
  readonly before: SeenRecord | null;
  /** `null`: this read has no record with this id that could be evaluated. */
  readonly now: Decisive | null;
}

/** Planned changes of a record that its own values explained. */
export interface Explained {
  /** What the record had of the names that decide; `null`: the read did not have it. */
  readonly has: Decisive | null;
  /** The kinds of the changes, or the digests of those that say where something goes. */
  readonly as: readonly string[];
}

/** What one read has of the names that decide; people are staged. */
export interface DecisiveRead {
  /** Digest of the rules that decide now. */
  readonly rules: string;
  readonly units: ReadonlyMap<string, Decisive>;
  /** Digest of `sync.protect`. */
  readonly protection: string;
  /** The one record that this run is about; `null`: all of them. */
  readonly only: { readonly subject: 'unit' | 'person'; readonly id: string } | null;
}

/** The one memory of records: what they had of the names that decide about them (promise 14). */
export interface SeenRecords {
  /** Returns what is known of a person's record. Called after the read. */
  person(id: string): Memory;
  /**
   * Returns the names that records of people had a value of under these rules and that none has in this read, each with
   * how many had it.
   */
  vanished(rules: string): ReadonlyMap<string, number>;
  /** Returns what the last plan had of a record whose own values explained it; `null`: nothing. */
  explained(subject: Change['subject'], id: string): Explained | null;
  /** Returns what is known of records of units, by source id. */
  units(): ReadonlyMap<string, SeenRecord>;
  /** Returns the records that `sync.protect` kept from a change in the last run: key (`recordKey`) → digest of it. */
  kept(): ReadonlyMap<string, string>;
  /**
   * Takes over what this read has, but not of records whose change is held, who are blocked, left inside or on their way
   * out. Called when it is known what is held. Yields between its steps; what a step did holds also without the next.
   */
  keep(read: DecisiveRead): Iterator<void>;
}
