import { RollcallError } from '../../domain/errors.ts';
import { stopped, withDeadline } from '../connect/network-problem.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { lateError, notOneSelect, sqlError, type SqlTask } from './sql-error.ts';

/**
 * Takes the names of a result's columns, before its first row and also if it has no rows; returns the
 * positions of the wanted ones. Throws if one is missing.
 */
export type ChooseColumns = (columns: readonly string[]) => readonly number[];

/** Number of rows in a batch, which takes one hop through the event loop. */
export const BATCH = 500;

/** Kinds of databases, as the evidence names them. */
export type SqlEngine = 'postgres' | 'mysql' | 'sqlite' | 'sqlserver' | 'oracle';

/** What makes a transaction one state of the database, and what an administrator should look at. */
interface Snapshot {
  readonly snapshot: string;
  readonly warnings?: readonly string[];
}

/** A query of the settings, and the database as messages name it. */
export type QueryTask = Required<SqlTask>;

/** Waits for an answer, as long as is allowed. Throws a `SourceError` or a `StoppedError`. */
export type Wait = <T>(work: Promise<T>) => Promise<T>;

/** A column of a result, and how its values become text. */
export interface ResultColumn {
  readonly name: string;
  readonly read: (value: unknown) => Cell;
}

/** Rows that came together. */
export interface ResultPage {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

/** What an engine does in its own way: one connection, in one read-only transaction. */
export interface SqlDriver {
  readonly type: SqlEngine;
  /** Name for messages: `the database postgres://db:5432/hr`. */
  readonly server: string;
  /** Connects and begins the transaction. */
  snapshot(wait: Wait): Promise<Snapshot>;
  /** Yields all rows of a query, streamed with back-pressure, at least one page; sends only what reads. */
  rows(task: QueryTask, wait: Wait): AsyncIterable<ResultPage>;
  /** Ends the connection in good order. */
  close(): Promise<unknown>;
  /** Breaks off what is under way; what waits for it rejects. */
  drop(): void;
  readonly file?: SqlConnection['file'];
  /** Returns an error of the driver as `sqlError` takes it. */
  readonly translated?: (error: unknown) => unknown;
}

/** One connection in one read-only transaction: every query sees the same state of the database. */
export interface SqlConnection extends Snapshot {
  readonly type: SqlEngine;
  /** Returns what tells the file that is read from one that was put in its place, how often it was written, and when last. */
  readonly file?:
    (() => { readonly place: string; readonly step: number; readonly writtenAt: Date }) | undefined;
  /**
   * Yields all rows, streamed with back-pressure, reduced to the chosen columns, with values as text:
   * integers with all digits, dates as the database writes them (UTC), booleans as `true` and `false` (if
   * the database has them), bytes as base64. Rejects when the query fails, the connection ends or an answer
   * takes too long. Only one query at a time.
   */
  rows(query: string, choose: ChooseColumns): AsyncIterable<readonly (readonly Cell[])[]>;
  close(): Promise<void>;
}

/** Seconds for a server to connect, if so many are allowed for each answer. */
export const connectSeconds = (seconds: number): number => Math.min(seconds, 30);

/** How long a connection waits for an answer, and which signal stops it. */
interface Waiting {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** Connects. Throws a `SourceError` or a `StoppedError`. */
export async function openConnection(driver: SqlDriver, waiting: Waiting): Promise<SqlConnection> {
  const { type, server, file } = driver;
  const { signal } = waiting;
  const drop = (): void => driver.drop();
  signal.addEventListener('abort', drop);
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', drop);
    await ended(driver.close()).catch(() => undefined);
    driver.drop();
  };
  try {
    const snapshot = await driver.snapshot(waiter(driver, { server }, waiting));
    return {
      type,
      ...snapshot,
      file,
      rows: (query, choose) => rowsOf({ query, choose }, driver, waiting),
      close,
    };
  } catch (error) {
    await close();
    throw sqlError(error, { server });
  }
}

interface Question {
  readonly query: string;
  readonly choose: ChooseColumns;
}

async function* rowsOf(
  { query, choose }: Question,
  driver: SqlDriver,
  waiting: Waiting,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const task = { server: driver.server, query };
  let picked: readonly (readonly [index: number, read: ResultColumn['read']])[] | null = null;
  try {
    for await (const { columns, rows } of driver.rows(task, waiter(driver, task, waiting))) {
      const picks = (picked ??= choose(columns.map(({ name }) => name)).map((index) => [
        index,
        columns[index]?.read ?? asItIs,
      ]));
      yield rows.map((row) => picks.map(([index, read]) => read(row[index])));
    }
  } catch (error) {
    throw sqlError(error, task);
  }
}

/** Reads values that the driver has as text, or lists of texts. */
export const asItIs = (value: unknown): Cell => (value as Cell | null) ?? undefined;

/** So much longer than a driver that has the same limit, whose sentence is a better one. */
const AFTER_DRIVER_MS = 1_000;

function waiter({ translated }: SqlDriver, task: SqlTask, { seconds, signal }: Waiting): Wait {
  return async (work) => {
    try {
      return await withDeadline(work, seconds * 1_000 + AFTER_DRIVER_MS, () => lateError(task, seconds));
    } catch (error) {
      if (signal.aborted) throw stopped();
      throw sqlError(error instanceof RollcallError ? error : (translated?.(error) ?? error), task);
    }
  };
}

/** Waits a little for something to end; rejects if it does not. */
export async function ended(work: Promise<unknown>): Promise<void> {
  await withDeadline(work, 2_000, () => new Error('the connection does not close'));
}

/** Returns the one result of a query; a statement that changes data has none, a procedure may have several. */
export function oneResult<R>(results: readonly (R | undefined)[], task: QueryTask): R {
  const [result] = results;
  if (result !== undefined && results.length === 1) return result;
  const wrong = result === undefined ? 'it returns no rows' : 'it has several results';
  throw notOneSelect(task, wrong);
}

/** Collects the next rows of a stream, at most `BATCH` of them. */
export async function nextBatch<R>(
  rows: AsyncIterator<R>,
): Promise<{ readonly rows: readonly R[]; readonly last: boolean }> {
  const batch: R[] = [];
  while (batch.length < BATCH) {
    const next = await rows.next();
    if (next.done === true) return { rows: batch, last: true };
    batch.push(next.value);
  }
  return { rows: batch, last: false };
}
