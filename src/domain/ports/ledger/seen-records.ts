import type { Decisive, Seen } from '../../records/seen.ts';

/** What the rules read of each record when nothing of it waited, and what they read of it now. */
export interface Memory {
  /** `null`: the ledger does not know the record. */
  readonly before: Seen | null;
  /** `null`: this read has no record with this id that could be evaluated. */
  readonly now: Decisive | null;
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
  /**
   * Takes over what this read has of people, but of those whose change is held, who are blocked, left inside or on their
   * way out. Called when it is known what is held.
   */
  keepPeople(rules: string): void;
  /** Returns what is known of records of units, by source id. */
  units(): ReadonlyMap<string, Seen>;
  /** Puts these in place of what is known of units. A unit of ours that was not read keeps what it had. */
  keepUnits(seen: ReadonlyMap<string, Seen>): void;
}
