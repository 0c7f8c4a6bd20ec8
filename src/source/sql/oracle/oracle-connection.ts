import type { Connection, FetchTypeResponse, Metadata, Result, ResultSet } from 'oracledb';

import { RollcallError, SourceError } from '../../../domain/errors.ts';
import type { SqlSettings } from '../../../domain/source-settings.ts';
import { stopped, withDeadline } from '../../connect/network-problem.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { ORACLE_SQL, requireReading } from '../optional-engines.ts';
import { begun, BATCH, type ChooseColumns, type SqlConnection } from '../sql-connection.ts';
import { lateError, sqlError, type SqlTask } from '../sql-error.ts';
import {
  cellReader,
  FETCHED_AS,
  loadOracle,
  oracleOptions,
  oracleProblem,
  type OracleColumn,
  type OracleDriver,
} from './oracle-driver.ts';

type Row = readonly unknown[];

/** Query for what the user may change: by its rights, in its own tables, in those granted to it or its roles. */
const RIGHTS = `
  SELECT what FROM (
    SELECT 'is granted ' || privilege AS what FROM session_privs
      WHERE REGEXP_LIKE(privilege, '^(INSERT|UPDATE|DELETE|DROP|ALTER|CREATE) ANY TABLE$')
    UNION ALL SELECT 'may write, for example to ' || table_name FROM user_tables
    UNION ALL SELECT 'may write, for example to ' || owner || '.' || table_name FROM user_tab_privs
      WHERE privilege IN ('INSERT', 'UPDATE', 'DELETE') AND grantee = USER
    UNION ALL SELECT 'may write, for example to ' || owner || '.' || table_name FROM role_tab_privs
      WHERE privilege IN ('INSERT', 'UPDATE', 'DELETE')
    ORDER BY 1) WHERE ROWNUM = 1`;

/** A connection to Oracle, in the driver's thin mode. */
export class OracleConnection implements SqlConnection {
  readonly type = 'oracle';
  readonly snapshot = 'READ ONLY transaction';
  readonly #driver: OracleDriver;
  readonly #connection: Connection;
  readonly #task: SqlTask;
  readonly #seconds: number;
  readonly #signal: AbortSignal;
  readonly #drop = (): void => {
    // What is broken off by it rejects; a connection that is lost already has nothing to break off.
    this.#connection.break().catch(() => undefined);
  };

  private constructor(open: Opening, driver: OracleDriver, connection: Connection) {
    this.#driver = driver;
    this.#connection = connection;
    this.#task = open.task;
    this.#seconds = open.seconds;
    this.#signal = open.signal;
    connection.callTimeout = open.seconds * 1_000;
    open.signal.addEventListener('abort', this.#drop);
  }

  /** Throws a `ConfigError` where the driver is not installed or cannot do what the settings say. */
  static async open(
    settings: SqlSettings,
    signal: AbortSignal,
    load: () => Promise<OracleDriver> = loadOracle,
  ): Promise<OracleConnection> {
    const url = parseDatabaseUrl(settings.url);
    const options = oracleOptions(url, settings);
    const name = url.database || (url.options.get('sid') ?? '');
    const server = `the database oracle://${url.host}:${url.port ?? 1521}/${name}`;
    const open: Opening = { task: { server }, seconds: settings.timeoutSeconds, signal };
    const driver = await load();
    const connection = await guarded(open, open.task, driver.getConnection(options), leaveLate);
    const one = new OracleConnection(open, driver, connection);
    return begun(one, () => one.#begin());
  }

  async *rows(query: string, choose: ChooseColumns): AsyncGenerator<readonly (readonly Cell[])[]> {
    const task = { ...this.#task, query };
    requireReading(task, ORACLE_SQL);
    const { columns, rows } = await this.#query(task);
    try {
      const picks = choose(columns.map(({ name }) => name));
      const cells = picks.map((index) => [index, readerAt(columns, index, task)] as const);
      for (let last = false; !last;) {
        const batch = await this.#guarded(task, rows.getRows(BATCH));
        last = batch.length < BATCH;
        yield batch.map((row) => cells.map(([index, read]) => read(row[index])));
      }
    } finally {
      await withDeadline(rows.close(), 2_000, notClosing).catch(() => undefined);
    }
  }

  async mayChange(): Promise<string | null> {
    const { rows = [] } = await this.#guarded(this.#task, this.#connection.execute<Row>(RIGHTS));
    const what = rows[0]?.[0];
    return typeof what === 'string' ? what : null;
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#drop);
    const end = this.#connection.close({ drop: true });
    await withDeadline(end, 2_000, notClosing).catch(() => undefined);
  }

  async #begin(): Promise<void> {
    await this.#guarded(this.#task, this.#connection.execute("ALTER SESSION SET TIME_ZONE = '+00:00'"));
    await this.#guarded(this.#task, this.#connection.execute('SET TRANSACTION READ ONLY'));
  }

  /** Executes a query; the driver names a second column of one name `ID_1`, so that names are taken before. */
  async #query(task: SqlTask & { readonly query: string }): Promise<{
    readonly columns: readonly OracleColumn[];
    readonly rows: ResultSet<Row>;
  }> {
    const columns: OracleColumn[] = [];
    const fetchTypeHandler = (column: Metadata<unknown>): FetchTypeResponse | undefined => {
      const type = column.dbTypeName ?? '';
      columns.push({ name: column.name, type });
      return this.#fetchedAs(type);
    };
    const options = {
      resultSet: true,
      outFormat: this.#driver.OUT_FORMAT_ARRAY,
      fetchArraySize: BATCH,
      prefetchRows: BATCH,
      fetchTypeHandler,
    };
    const text = task.query.replace(/[\s;]+$/u, '');
    const asked: Promise<Result<Row>> = this.#connection.execute<Row>(text, [], options);
    const { resultSet } = await this.#guarded(task, asked);
    if (resultSet !== undefined) return { columns, rows: resultSet };
    throw new SourceError(`${task.server}: the query ${task.query} returns no rows; make it one SELECT.`);
  }

  #fetchedAs(type: string): FetchTypeResponse | undefined {
    const as = FETCHED_AS[type];
    if (as === undefined) return undefined;
    return { type: as === 'text' ? this.#driver.STRING : this.#driver.BUFFER };
  }

  async #guarded<T>(task: SqlTask, work: Promise<T>): Promise<T> {
    return guarded({ task, seconds: this.#seconds, signal: this.#signal }, task, work);
  }
}

interface Opening {
  readonly task: SqlTask;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for an answer as long as the settings allow.
 *
 * @param late gets what comes all the same when nobody waits any more
 */
async function guarded<T>(
  { seconds, signal }: Opening,
  task: SqlTask,
  work: Promise<T>,
  late?: (result: T) => void,
): Promise<T> {
  let waiting = true;
  if (late !== undefined) work.then((result) => (waiting ? undefined : late(result))).catch(() => undefined);
  try {
    // The driver has the same limit, and a better sentence where it is met.
    return await withDeadline(work, seconds * 1_000 + 1_000, () => lateError(task, seconds));
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw sqlError(error instanceof RollcallError ? error : oracleProblem(error), task);
  } finally {
    waiting = false;
  }
}

function leaveLate(connection: Connection): void {
  connection.close({ drop: true }).catch(() => undefined);
}

function notClosing(): Error {
  return new Error('the connection does not close');
}

function readerAt(columns: readonly OracleColumn[], index: number, task: SqlTask): (value: unknown) => Cell {
  try {
    return cellReader(columns[index] ?? { name: '', type: '' });
  } catch (error) {
    throw sqlError(error, task);
  }
}
