import type { Connection, FetchTypeResponse, Metadata, Result, ResultSet } from 'oracledb';

import type { SqlSettings } from '../../../domain/source-settings.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { ORACLE_CHANGES, requireReading } from '../optional-engines.ts';
import {
  answered,
  BATCH,
  opened,
  ended,
  oneResult,
  type ChooseColumns,
  type SqlConnection,
  type QueryTimeout,
} from '../sql-connection.ts';
import { sqlError, type SqlTask } from '../sql-error.ts';
import {
  cellReader,
  FETCHED_AS,
  loadOracle,
  oracleOptions,
  usualPort,
  type OracleColumn,
  type OracleDriver,
} from './oracle-driver.ts';

type OracleRow = readonly unknown[];

/** A connection to Oracle, in the driver's thin mode. */
export class OracleConnection implements SqlConnection {
  readonly type = 'oracle';
  readonly snapshot = 'READ ONLY transaction';
  readonly #driver: OracleDriver;
  readonly #connection: Connection;
  readonly #task: SqlTask;
  readonly #waiting: QueryTimeout;
  readonly #drop = (): void => {
    // What is broken off by it rejects; a connection that is lost already has nothing to break off.
    this.#connection.break().catch(() => undefined);
  };

  private constructor({ task, waiting }: Opening, driver: OracleDriver, connection: Connection) {
    this.#driver = driver;
    this.#connection = connection;
    this.#task = task;
    this.#waiting = waiting;
    connection.callTimeout = waiting.seconds * 1_000;
    waiting.signal.addEventListener('abort', this.#drop);
  }

  /** Throws a `ConfigError` if the driver is not installed or cannot do what the settings say. */
  static async open(
    settings: SqlSettings,
    signal: AbortSignal,
    load: () => Promise<OracleDriver> = loadOracle,
  ): Promise<OracleConnection> {
    const url = parseDatabaseUrl(settings.url);
    const options = oracleOptions(url, settings);
    const server = `the database oracle://${url.host}:${url.port ?? usualPort(url, settings)}/${url.database}`;
    const waiting = { seconds: settings.timeoutSeconds, signal };
    const open: Opening = { task: { server }, waiting };
    const driver = await load();
    const connecting = driver.getConnection(options);
    try {
      const one = new OracleConnection(open, driver, await answered(connecting, open.task, waiting));
      return await opened(one, () => one.#begin());
    } catch (error) {
      leaveLate(connecting);
      throw error;
    }
  }

  async *rows(query: string, choose: ChooseColumns): AsyncGenerator<readonly (readonly Cell[])[]> {
    const task = { ...this.#task, query };
    requireReading(task, ORACLE_CHANGES);
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
      await ended(rows.close()).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#waiting.signal.removeEventListener('abort', this.#drop);
    await ended(this.#connection.close({ drop: true })).catch(() => undefined);
  }

  async #begin(): Promise<void> {
    await this.#guarded(this.#task, this.#connection.execute("ALTER SESSION SET TIME_ZONE = '+00:00'"));
    await this.#guarded(this.#task, this.#connection.execute('SET TRANSACTION READ ONLY'));
  }

  /** Executes a query; the driver names a second column of one name `ID_1`, so that names are taken before. */
  async #query(
    task: SqlTask & { readonly query: string },
  ): Promise<{ readonly columns: readonly OracleColumn[]; readonly rows: ResultSet<OracleRow> }> {
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
    const asked: Promise<Result<OracleRow>> = this.#connection.execute<OracleRow>(text, [], options);
    const { resultSet } = await this.#guarded(task, asked);
    return { columns, rows: oneResult([resultSet], task) };
  }

  #fetchedAs(type: string): FetchTypeResponse | undefined {
    const as = FETCHED_AS[type];
    if (as === undefined) return undefined;
    return { type: as === 'text' ? this.#driver.STRING : this.#driver.BUFFER };
  }

  async #guarded<T>(task: SqlTask, work: Promise<T>): Promise<T> {
    return answered(work, task, this.#waiting);
  }
}

interface Opening {
  readonly task: SqlTask;
  readonly waiting: QueryTimeout;
}

/** Closes a connection that is made after the caller stopped waiting for it. */
function leaveLate(connecting: Promise<Connection>): void {
  connecting.then(async (connection) => connection.close({ drop: true })).catch(() => undefined);
}

function readerAt(columns: readonly OracleColumn[], index: number, task: SqlTask): (value: unknown) => Cell {
  try {
    return cellReader(columns[index] ?? { name: '', type: '' });
  } catch (error) {
    throw sqlError(error, task);
  }
}
