import type { Reading, Person } from '../records/records.ts';

/**
 * Names one record of the source, and stays the same when the record changes: `entryUUID`, `objectGUID`, the
 * key column of a query, the `id` of a SCIM resource. The source can find the record by it.
 */
export type RecordKey = string;

/**
 * Up to where a read has seen the source: a cookie, a sequence number or a time of the source's own clock.
 * Only the source that made the text can read it.
 */
export interface ReadMark {
  /** How the source reports changes. If this differs from the last read, a full read is needed. */
  readonly how: string;
  readonly text: string;
}

/**
 * What people of the source changed since a mark. The parts are read in this order, each to its end: `records`,
 * `present` if removals are listed, then `gone` and `mark`. Throws a `SourceError` the moment that it can no
 * longer be complete; nothing of it is used then. A `FullReadNeededError` says that a full read may be.
 */
export interface Increment {
  /**
   * Yields new and changed records, and those of `again` that still exist. Each key comes once, with `key`
   * and `print` in the reading, as in a full read. If the source reports a record twice, its last state is
   * yielded.
   */
  records(): KeyedReadings;
  /**
   * Yields the keys of all records there are, to the proven end of the list; `null`: the source tells itself what is
   * gone, and `gone` has it.
   */
  present(): AsyncIterable<Iterable<RecordKey>> | null;
  /** Returns the keys of records that left the source or its filter since the mark; empty if `present` lists. */
  gone(): readonly RecordKey[];
  /**
   * Yields those of these records that exist. `keys` are keys from `present` that the ledger does not know.
   * Called at most once, after `present`, and only if `present` lists keys.
   */
  more(keys: readonly RecordKey[]): KeyedReadings;
  /** Returns up to where the source has been seen now. */
  mark(): ReadMark;
}

/** Why only a full read can tell what changed, as a sentence: `the server does not know the cookie any more`. */
export interface FullReadNeeded {
  readonly why: string;
}

/** A source that can tell what people changed since an earlier read; part of `SourceRead` if that is wanted. */
export interface IncrementalRead {
  /**
   * Returns the mark of this read, taken before the first person is read; `FullReadNeeded`: increments are
   * not possible here. Called once, before `people` or `increment`.
   */
  begin(): Promise<ReadMark | FullReadNeeded>;
  /**
   * Reads what changed since `since`, and the records of `again`. After a full read it may be called too, with nothing in
   * `again`, to tell which records changed since an earlier mark: then only the keys of `records`, `present` and `gone` are used.
   *
   * @param salt goes into every print, as in a `Recognition`
   */
  increment(ask: {
    readonly since: ReadMark;
    readonly again: readonly RecordKey[];
    readonly salt: string;
  }): Promise<Increment | FullReadNeeded>;
}

/** A reading as it comes with a key, in full reads too if increments are wanted; absent: the record has none. */
export type KeyedReading = Reading<Person> & { readonly key?: RecordKey };

export type KeyedReadings = AsyncIterable<Iterable<KeyedReading>>;
