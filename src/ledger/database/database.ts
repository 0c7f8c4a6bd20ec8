import Sqlite from 'better-sqlite3';
import { busyProblem, ledgerProblem } from './problems.ts';

type SqlValue = string | number | bigint | Buffer | null;
/** Values by their order, or an object with those that have names. */
type SqlValues = readonly (SqlValue | Readonly<Record<string, SqlValue>>)[];
type Row = Readonly<Record<string, unknown>>;

/** A prepared statement that throws our own errors; R: what it selects. Nobody else writes these tables. */
export interface Statement<R = Row> {
  run(...parameters: SqlValues): void;
  get(...parameters: SqlValues): R | undefined;
  all(...parameters: SqlValues): readonly R[];
  changes(...parameters: SqlValues): number;
}

/** Problems by the beginning of SQLite's code. */
const PROBLEMS = {
  SQLITE_CANTOPEN: 'ledger-unopened',
  SQLITE_READONLY: 'ledger-read-only',
  SQLITE_PERM: 'ledger-no-right',
  SQLITE_FULL: 'ledger-full',
  SQLITE_IOERR: 'ledger-disk',
  SQLITE_NOTADB: 'ledger-no-ledger',
  SQLITE_CORRUPT: 'ledger-damaged',
} as const;

/** Translates what better-sqlite3 throws into an error with the ledger's path and the remedy. */
function asLedgerError(path: string, error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const { code, message: words } = error;
  if (code.startsWith('SQLITE_BUSY')) return busyProblem('ledger-busy', { path, words }, { cause: error });
  const known = Object.entries(PROBLEMS).find(([prefix]) => code.startsWith(prefix))?.[1];
  return known === undefined
    ? ledgerProblem('ledger-sqlite', { path, words, code }, { cause: error })
    : ledgerProblem(known, { path, words }, { cause: error });
}

/** How long a statement waits for another process's write to end, ms; nothing else goes on meanwhile. */
const PATIENCE_MS = { usual: 10_000, short: 500 } as const;

/** The one connection to the ledger. Writes usually stand in a transaction. */
export class Database {
  readonly path: string;
  readonly #db: Sqlite.Database;
  readonly #statements = new Map<string, Statement<unknown>>();

  constructor(path: string, options: { readonly readonly: boolean }) {
    this.path = path;
    this.#db = this.#guard(
      () =>
        new Sqlite(path, {
          readonly: options.readonly,
          fileMustExist: options.readonly,
          timeout: PATIENCE_MS.usual,
        }),
    );
  }

  /**
   * Runs `work` with the short patience, for a caller who waits on its own: fails soon if another process goes on
   * writing.
   */
  impatiently<T>(work: () => T): T {
    this.pragma(`busy_timeout = ${PATIENCE_MS.short}`);
    try {
      return work();
    } finally {
      this.pragma(`busy_timeout = ${PATIENCE_MS.usual}`);
    }
  }

  exec(sql: string): void {
    this.#guard(() => this.#db.exec(sql));
  }

  pragma(words: string): unknown {
    return this.#guard(() => this.#db.pragma(words, { simple: true }));
  }

  /** Returns the prepared statement; each text is prepared once. */
  sql<R = Row>(words: string): Statement<R> {
    const known = this.#statements.get(words);
    if (known !== undefined) return known as Statement<R>;
    const statement = this.#statement(this.#guard(() => this.#db.prepare<unknown[], R>(words)));
    this.#statements.set(words, statement);
    return statement;
  }

  /** Does all of `work`, or nothing of it. A transaction inside another one joins it. */
  transaction<T>(work: () => T): T {
    if (this.#db.inTransaction) return work();
    try {
      return this.#db.transaction(work).immediate();
    } catch (error) {
      throw asLedgerError(this.path, error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #statement<R>(prepared: Sqlite.Statement<unknown[], R>): Statement<R> {
    return {
      run: this.#guarded((...p) => void prepared.run(...p)),
      get: this.#guarded((...p) => prepared.get(...p)),
      all: this.#guarded((...p) => prepared.all(...p)),
      changes: this.#guarded((...p) => prepared.run(...p).changes),
    };
  }

  /**
   * Wraps a statement's method. Done once per statement, not once per call: staging makes some calls for every person.
   */
  #guarded<P extends readonly unknown[], T>(work: (...parameters: P) => T): (...parameters: P) => T {
    return (...parameters) => {
      try {
        return work(...parameters);
      } catch (error) {
        throw asLedgerError(this.path, error);
      }
    };
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asLedgerError(this.path, error);
    }
  }
}

/**
 * Yields rows page by page: `page` returns those that follow a key, and `keyOf` the key of a row. Other statements may
 * run between two pages.
 */
export function* inPages<K, R = Row>(
  begin: K,
  page: (last: K) => readonly R[],
  keyOf: (row: R) => K,
): Generator<R> {
  let last = begin;
  for (let rows = page(last); rows.length > 0; rows = page(last)) {
    for (const row of rows) {
      last = keyOf(row);
      yield row;
    }
  }
}

/** Returns what a column has for a boolean, or for one that is not known. */
export const asBoolean = (value: number | null): boolean | null => (value === null ? null : value === 1);

/** Parses a column that may be empty; the caller names the type that was written. */
export const parsed = <T>(value: string | null): T | null =>
  value === null ? null : (JSON.parse(value) as T);

/** Returns the texts that rows have in one column. */
export const textsOf = (rows: readonly Row[], name: string): readonly string[] =>
  rows.map((row) => String(row[name]));

/** Returns the number that a statement selects as `n`. */
export const countOf = (db: Database, sql: string, ...values: SqlValues): number =>
  db.sql<{ readonly n: number }>(sql).get(...values)?.n ?? 0;
