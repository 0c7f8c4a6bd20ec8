import { RollcallError, SourceError } from '../../domain/errors.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import { stopped, withDeadline } from '../connect/network-problem.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { lateError, sqlError, type SqlTask } from './sql-error.ts';

/**
 * Takes the names of a result's columns, before its first row and also if it has no rows; returns the
 * positions of the wanted ones. Throws if one is missing.
 */
export type ChooseColumns = (columns: readonly string[]) => readonly number[];

/** Number of rows in a batch, which takes one hop through the event loop. */
export const BATCH = 500;

/** Kinds of databases, as the evidence names them. */
export type SqlEngine = Extract<
  SourceEvidence['type'],
  'sqlite' | 'postgres' | 'mysql' | 'sqlserver' | 'oracle'
>;

/** One connection in one read-only transaction: every query sees the same state of the database. */
export interface SqlConnection {
  readonly type: SqlEngine;
  /** What makes the transaction one snapshot. */
  readonly snapshot: string;
  /** What an administrator should look at, each a sentence. */
  readonly warnings?: readonly string[];
  /** Returns what tells the file that is read from one that was put in its place, how often it was written, and when last. */
  readonly file?: () => { readonly place: string; readonly step: number; readonly writtenAt: Date };
  /**
   * Yields all rows, streamed with back-pressure, reduced to the chosen columns, with values as text:
   * integers with all digits, dates as the database writes them (UTC), booleans as `true` and `false` (if
   * the database has them), bytes as base64. Rejects when the query fails, the connection ends or an answer
   * takes too long. Only one query at a time.
   */
  rows(query: string, choose: ChooseColumns): AsyncIterable<readonly (readonly Cell[])[]>;
  close(): Promise<void>;
}

/** Begins the transaction of a new connection, and returns the connection; closes it if that fails. */
export async function opened<C extends Pick<SqlConnection, 'close'>>(
  connection: C,
  begin: () => Promise<void>,
): Promise<C> {
  try {
    await begin();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** How long a connection waits for an answer, and which signal stops it. */
export interface QueryTimeout {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Returns an error of the driver as `sqlError` takes it. */
  readonly translated?: (error: unknown) => unknown;
}

/** So much longer than a driver that has the same limit, whose sentence is a better one. */
const AFTER_DRIVER_MS = 1_000;

/** Waits for an answer as long as the settings allow. Throws a `SourceError` or a `StoppedError`. */
export async function answered<T>(
  work: Promise<T>,
  task: SqlTask,
  { seconds, signal, translated = (error) => error }: QueryTimeout,
): Promise<T> {
  try {
    return await withDeadline(work, seconds * 1_000 + AFTER_DRIVER_MS, () => lateError(task, seconds));
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw sqlError(error instanceof RollcallError ? error : translated(error), task);
  }
}

/** Waits a little for something to end; rejects if it does not. */
export async function ended(work: Promise<unknown>): Promise<void> {
  await withDeadline(work, 2_000, () => new Error('the connection does not close'));
}

/** Returns the one result of a query; a statement that changes data has none, a procedure may have several. */
export function oneResult<R>(results: readonly (R | undefined)[], { server, query }: SqlTask): R {
  const [result] = results;
  if (result !== undefined && results.length === 1) return result;
  const wrong = result === undefined ? 'returns no rows' : 'has several results';
  throw new SourceError(`${server}: the query ${query} ${wrong}; make it one SELECT.`);
}

/** Rows that came together. */
export interface Batch<R> {
  readonly rows: readonly R[];
  readonly last: boolean;
}

/** Collects the next rows of a stream, at most `BATCH` of them. */
export async function nextBatch<R>(rows: AsyncIterator<R>): Promise<Batch<R>> {
  const batch: R[] = [];
  while (batch.length < BATCH) {
    const next = await rows.next();
    if (next.done === true) return { rows: batch, last: true };
    batch.push(next.value);
  }
  return { rows: batch, last: false };
}
