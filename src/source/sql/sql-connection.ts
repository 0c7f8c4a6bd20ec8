import type { SourceEvidence } from '../../domain/records/source.ts';
import type { Cell } from '../mapping/rules/raw-record.ts';

/**
 * Gets the names of a result's columns, before its first row and also where it has none; returns the positions of
 * those that are wanted. Throws where one is missing.
 */
export type ChooseColumns = (columns: readonly string[]) => readonly number[];

/** Rows come in batches: one hop through the event loop for many. */
export const BATCH = 500;

/** One connection in one read-only transaction: every query sees the same state of the database. */
export interface SqlConnection {
  readonly type: SourceEvidence['type'];
  /** What makes it one snapshot. */
  readonly snapshot: string;
  /**
   * All rows, streamed with back-pressure, reduced to the chosen columns, values as text: integers with all digits,
   * dates as the database writes them (UTC), booleans as `true` and `false` (where the database has them), bytes as
   * base64. Rejects when the query fails, the connection ends or an answer takes too long; one query at a time.
   */
  rows(query: string, choose: ChooseColumns): AsyncIterable<readonly (readonly Cell[])[]>;
  /** Returns what this user may change here, in a few words; `null`: nothing, as far as the database tells. */
  mayChange(): Promise<string | null>;
  close(): Promise<void>;
}
