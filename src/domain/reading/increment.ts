import type { Reading, Person } from '../records/records.ts';

/**
 * Tells one record of the source from all others, whatever else of it changes, in the source's own terms: `entryUUID`,
 * `objectGUID`, the key column of a query, the `id` of a SCIM resource. The source finds a record by it again.
 */
export type RecordKey = string;

/**
 * Up to where a read has seen the source: a cookie, a sequence number, the time of the source's own clock. Nobody but the
 * source that made it reads the text.
 */
export interface ReadMark {
  /** How it is told what changed: another way means a full read. */
  readonly how: 'syncrepl' | 'dirsync' | 'query' | 'scim';
  readonly text: string;
}

/**
 * What people of the source changed since a mark. The parts are read in this order, each to its end: `records`,
 * `present` where removals are listed, then `gone` and `mark`. Throws a `SourceError` the moment that it can no
 * longer be complete; nothing of it is used then. A `FullReadNeededError` says that a full read may be.
 */
export interface Increment {
  /**
   * Yields records that are new or changed, and those that were asked for again and are still there: each key once, with
   * `key` and `print` in the reading, as a full read has them. What is told twice is read once, as it is last.
   */
  records(): KeyedReadings;
  /**
   * Yields the keys of all records there are, to the proven end of the list; `null`: the source tells itself what is
   * gone, and `gone` has it.
   */
  present(): AsyncIterable<Iterable<RecordKey>> | null;
  /** Returns the keys of records that left the source or its filter since the mark; empty where `present` lists. */
  gone(): readonly RecordKey[];
  /**
   * Yields those of these records that are there: keys that `present` lists and that nobody knows. Called at most once,
   * after `present`, and only where that lists.
   */
  more(keys: readonly RecordKey[]): KeyedReadings;
  /** Returns up to where the source has been seen now. */
  mark(): ReadMark;
}

/** Why only a full read can tell what changed, as a sentence: `the server does not know the cookie any more`. */
export interface FullReadNeeded {
  readonly why: string;
}

/** A source that can tell what people changed since an earlier read; part of `SourceRead` where that is wanted. */
export interface IncrementalRead {
  /**
   * Returns the mark for this read, taken before anybody was read; `FullReadNeeded`: increments are not possible here.
   * Called once, before `people` or `increment`.
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

/** A reading as it comes with a key, in full reads too where increments are wanted; absent: the record has none. */
export type KeyedReading = Reading<Person> & { readonly key?: RecordKey };

export type KeyedReadings = AsyncIterable<Iterable<KeyedReading>>;
