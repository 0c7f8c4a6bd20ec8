import type { ReadMark, RecordKey } from '../../domain/reading/increment.ts';
import type { Person } from '../../domain/records/records.ts';
import type { Arrived } from '../records/arrived.ts';

/** People as they come, each with a key. */
export type People = AsyncIterable<Iterable<Arrived<Person>>>;

/**
 * How one protocol tells what changed, during one read. All of it throws a `FullReadNeededError` where only a full read can
 * tell, and a `SourceError` where a read does not come to its end.
 *
 * `S` is up to where the source has been seen, as JSON has it.
 */
export interface Changes<S extends object> {
  readonly how: ReadMark['how'];
  /** What is asked, each with the reason for a full read where that is another text than at the last read. */
  readonly asked: readonly { readonly text: string; readonly ifOther: string }[];
  /** So many ids are asked for at once. */
  readonly idsAtOnce: number;
  /** Returns up to where the source is seen now: nobody was read yet. */
  latest(): Promise<S>;
  /** Returns what changed between, or throws where that cannot be told: after a restore, say. */
  changedSince(before: S, now: S): Promise<ChangesTold>;
  /** Yields those of these people who are there. */
  byIds(keys: readonly RecordKey[]): People;
}

/** What changed. The parts are read in this order, each to its end. */
export interface ChangesTold {
  /** Yields people who are new or changed. */
  changed?(): People;
  /** Returns the keys of records that changed or left: they are asked for by their ids, and gone if they do not come. */
  touched?(): Promise<Iterable<RecordKey>>;
  /** Yields the keys of all records there are; absent: who left is among the touched. */
  ids?(): AsyncIterable<readonly RecordKey[]>;
}
