import type { Readable } from 'node:stream';

import type { ConnectionPool, Request, Transaction } from 'mssql';

import type { SqlSettings } from '../../../domain/source-settings.ts';
import { stopped } from '../../connect/network-problem.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import {
  answered,
  BATCH,
  opened,
  ended,
  nextBatch,
  oneResult,
  type Batch,
  type ChooseColumns,
  type QueryTimeout,
  type SqlConnection,
} from '../sql-connection.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { requireReading, TRANSACT_CHANGES } from '../optional-engines.ts';
import { sqlError, type SqlTask } from '../sql-error.ts';
import {
  cellReader,
  loadSqlServer,
  sqlServerOptions,
  sqlServerProblem,
  type SqlServerColumn,
  type SqlServerDriver,
} from './sqlserver-driver.ts';

type SqlServerRow = readonly unknown[];

/** A column as the driver's event `recordset` shows it. */
interface DriverColumn {
  readonly name: string;
  /** A type, with its name in lower case. */
  readonly type?: { readonly declaration?: string } | undefined;
  readonly scale?: number | undefined;
}

const ISOLATION =
  'SELECT snapshot_isolation_state AS snapshot, is_read_committed_snapshot_on AS statement FROM sys.databases WHERE database_id = DB_ID()';

const NO_SNAPSHOT =
  'the database does not allow snapshot isolation, so its parts may be of different moments; have its administrator run ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON';

/**
 * A connection to SQL Server. There are no read-only transactions: queries are looked at before they are sent, and the
 * transaction is never committed.
 */
export class SqlServerConnection implements SqlConnection {
  readonly type = 'sqlserver';
  readonly warnings: string[] = [];
  readonly #driver: SqlServerDriver;
  readonly #task: SqlTask;
  readonly #waiting: QueryTimeout;
  readonly #pool: ConnectionPool;
  readonly #transaction: Transaction;
  /** Closes the sockets: the pool itself waits for requests to end. */
  readonly #sockets = new Set<{ close(): void }>();
  readonly #drop = (): void => {
    for (const socket of this.#sockets) socket.close();
    this.#stream?.destroy(stopped());
  };
  #stream: Readable | null = null;
  #snapshot = 'SNAPSHOT transaction, rolled back';

  private constructor(settings: SqlSettings, signal: AbortSignal, driver: SqlServerDriver) {
    const url = parseDatabaseUrl(settings.url);
    const instance = url.options.get('instance');
    const port = instance === null ? `:${url.port ?? 1433}` : `\\${instance}`;
    this.#driver = driver;
    this.#task = { server: `the database sqlserver://${url.host}${port}/${url.database}` };
    this.#waiting = { seconds: settings.timeoutSeconds, signal, translated: sqlServerProblem };
    const options = sqlServerOptions(url, settings);
    const beforeConnect = (socket: { close(): void }): unknown => this.#sockets.add(socket);
    this.#pool = new driver.ConnectionPool({ ...options, beforeConnect });
    this.#transaction = new driver.Transaction(this.#pool);
    // Without a listener the error of a lost connection would end the process.
    this.#pool.on('error', (error: Error) => this.#stream?.destroy(error));
    signal.addEventListener('abort', this.#drop);
  }

  /** Throws a `ConfigError` if the driver is not installed. */
  static async open(
    settings: SqlSettings,
    signal: AbortSignal,
    load: () => Promise<SqlServerDriver> = loadSqlServer,
  ): Promise<SqlServerConnection> {
    const connection = new SqlServerConnection(settings, signal, await load());
    return opened(connection, () => connection.#begin());
  }

  get snapshot(): string {
    return this.#snapshot;
  }

  async *rows(query: string, choose: ChooseColumns): AsyncGenerator<readonly (readonly Cell[])[]> {
    const task = { ...this.#task, query };
    requireReading(task, TRANSACT_CHANGES);
    const request = this.#request();
    const results: (readonly DriverColumn[])[] = [];
    request.on('recordset', (columns: readonly DriverColumn[]) => results.push(columns));
    const stream = request.toReadableStream({ highWaterMark: BATCH });
    // The stream's reader gets the error. Until it reads, the error would end the process.
    stream.on('error', () => undefined);
    this.#stream = stream;
    const asked = request.query(query).catch(() => undefined);
    const rows = stream[Symbol.asyncIterator]() as AsyncIterator<SqlServerRow>;
    let read: ((row: SqlServerRow) => readonly Cell[]) | null = null;
    let last = false;
    try {
      while (!last) {
        const batch: Batch<SqlServerRow> = await this.#guarded(task, nextBatch(rows));
        read ??= rowReader(oneResult(results, task), choose);
        last = batch.last;
        yield this.#cellsOf(task, batch, read);
      }
    } finally {
      this.#stream = null;
      stream.destroy();
      if (!last) await this.#leave(request, asked);
    }
  }

  async close(): Promise<void> {
    this.#waiting.signal.removeEventListener('abort', this.#drop);
    const end = this.#transaction.rollback().then(async () => this.#pool.close());
    await ended(end).catch(() => undefined);
    this.#drop();
  }

  async #begin(): Promise<void> {
    await this.#guarded(this.#task, this.#pool.connect());
    const asked = this.#pool.request().query<Readonly<Record<string, unknown>>>(ISOLATION);
    // Rows come as lists: the connection's setting.
    const [row] = (await this.#guarded(this.#task, asked)).recordset.map((one) => Object.values(one));
    const { SNAPSHOT, READ_COMMITTED } = this.#driver.ISOLATION_LEVEL;
    const allowed = Number(row?.[0]) === 1;
    if (!allowed) {
      const each = row?.[1] === true ? ', each query in one state' : '';
      this.#snapshot = `READ COMMITTED transaction${each}, rolled back`;
      this.warnings.push(`${this.#task.server}: ${NO_SNAPSHOT}.`);
    }
    await this.#guarded(this.#task, this.#transaction.begin(allowed ? SNAPSHOT : READ_COMMITTED));
  }

  #request(): Request {
    return new this.#driver.Request(this.#transaction);
  }

  /** Ends a query that is left: the transaction takes one at a time. */
  async #leave(request: Request, query: Promise<unknown>): Promise<void> {
    request.cancel();
    await ended(query).catch(this.#drop);
  }

  #cellsOf(
    task: SqlTask,
    batch: Batch<SqlServerRow>,
    read: (row: SqlServerRow) => readonly Cell[],
  ): readonly (readonly Cell[])[] {
    try {
      return batch.rows.map(read);
    } catch (error) {
      throw sqlError(error, task);
    }
  }

  async #guarded<T>(task: SqlTask, work: Promise<T>): Promise<T> {
    return answered(work, task, this.#waiting);
  }
}

/** Returns what reads the chosen columns of a row. */
function rowReader(
  columns: readonly DriverColumn[],
  choose: ChooseColumns,
): (row: SqlServerRow) => readonly Cell[] {
  const picks = choose(columns.map(({ name }) => name));
  const cells = picks.map((index) => [index, cellReader(described(columns[index]))] as const);
  return (row) => cells.map(([index, read]) => read(row[index]));
}

function described(column: DriverColumn | undefined): SqlServerColumn {
  return { name: column?.name ?? '', type: column?.type?.declaration ?? '', scale: column?.scale };
}
