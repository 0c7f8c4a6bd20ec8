import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createConnection, type Connection, type ConnectionOptions, type SslOptions } from 'mysql2';
import { ConfigError } from '../../domain/errors.ts';
import type { SqlSettings } from '../../domain/source-settings.ts';
import { stopped } from '../connect/network-problem.ts';
import { tlsOptions } from '../connect/tls-options.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import {
  answered,
  BATCH,
  opened,
  nextBatch,
  oneResult,
  type Batch,
  type ChooseColumns,
  type QueryTimeout,
  type SqlConnection,
} from './sql-connection.ts';
import { parseDatabaseUrl, wantsTls, type DatabaseUrl } from './database-url.ts';
import { codeOf, cutShort, notOneSelect, wordsAndPlace, type SqlTask } from './sql-error.ts';

/**
 * Value that switches off the server's limit (`sql_select_limit`), which would silently end each query early.
 */
const NO_LIMIT = '18446744073709551615';

interface Warning {
  readonly Code: number;
  readonly Message: string;
}

/**
 * Warnings which say that something is missing: rows after MariaDB's LIMIT ROWS EXAMINED, the end of a GROUP_CONCAT, a
 * text above max_allowed_packet.
 */
const CUT_SHORT: ReadonlySet<number> = new Set([1931, 1260, 1301]);

/** A connection to MySQL or MariaDB. */
export class MysqlConnection implements SqlConnection {
  readonly type = 'mysql';
  readonly snapshot = 'CONSISTENT SNAPSHOT, READ ONLY transaction';
  readonly #connection: Connection;
  readonly #task: SqlTask;
  readonly #waiting: QueryTimeout;
  readonly #drop = (): void => {
    this.#stream?.destroy(stopped());
    this.#connection.destroy();
  };
  #stream: Readable | null = null;

  private constructor(settings: SqlSettings, signal: AbortSignal) {
    const url = parseDatabaseUrl(settings.url);
    const port = url.port ?? 3306;
    const scheme = settings.url.startsWith('mariadb:') ? 'mariadb' : 'mysql';
    this.#task = { server: `the database ${scheme}://${url.host}:${port}/${url.database}` };
    this.#waiting = { seconds: settings.timeoutSeconds, signal };
    this.#connection = createConnection(mysqlOptions(url, port, settings));
    // A killed connection does not end a stream by itself: the read would wait for ever.
    this.#connection.on('error', (error: Error) => this.#stream?.destroy(error));
    signal.addEventListener('abort', this.#drop);
  }

  static async open(settings: SqlSettings, signal: AbortSignal): Promise<MysqlConnection> {
    const connection = new MysqlConnection(settings, signal);
    return opened(connection, () => connection.#begin());
  }

  async *rows(query: string, choose: ChooseColumns): AsyncGenerator<readonly (readonly Cell[])[]> {
    const task = { ...this.#task, query };
    await this.#requireSelect(task);
    const results: (readonly Column[] | undefined)[] = [];
    const stream = this.#connection
      .query({ sql: query, rowsAsArray: true })
      .stream({ highWaterMark: BATCH })
      .on('fields', (fields: readonly Column[] | undefined) => results.push(fields));
    this.#stream = stream;
    const rows: AsyncIterator<MysqlRow> = stream[Symbol.asyncIterator]() as AsyncIterator<MysqlRow>;
    try {
      for (;;) {
        const batch: Batch<MysqlRow> = await this.#guarded(task, nextBatch(rows));
        yield cellsOf(batch.rows, oneResult(results, task), choose);
        if (!batch.last) continue;
        await this.#askWhetherAll(task);
        return;
      }
    } finally {
      this.#stream = null;
      stream.destroy();
    }
  }

  async close(): Promise<void> {
    this.#waiting.signal.removeEventListener('abort', this.#drop);
    this.#drop();
  }

  async #begin(): Promise<void> {
    await this.#guarded(this.#task, this.#connecting());
    await this.#run(
      `SET SESSION time_zone = '+00:00', net_write_timeout = 600, sql_select_limit = ${NO_LIMIT}`,
    );
    await this.#run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  }

  async #connecting(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.connect((error) => (error ? reject(error) : resolve()));
    });
  }

  async #run(sql: string, task: SqlTask = this.#task): Promise<unknown> {
    const done = new Promise<unknown>((resolve, reject) => {
      this.#connection.query(sql, (error, result) => (error ? reject(error) : resolve(result)));
    });
    return this.#guarded(task, done);
  }

  /**
   * Lets the server's own parser check a query before it is sent to be executed: within FROM ( ) only one
   * SELECT, WITH or VALUES without INTO can stand, and preparing a statement executes nothing of it. DROP,
   * TRUNCATE, SET GLOBAL and INTO OUTFILE would be executed even in a read-only transaction. Other errors are
   * reported by the query itself.
   */
  async #requireSelect(task: SqlTask & { readonly query: string }): Promise<void> {
    const within = `SELECT 1 FROM (\n${task.query.replace(/[\s;]+$/u, '')}\n) AS rollcall`;
    const error = await this.#guarded(task, this.#prepare(within));
    if (codeOf(error) !== 'ER_PARSE_ERROR') return;
    const own = await this.#guarded(task, this.#prepare(task.query));
    throw notOneSelect(task, own === null ? 'it is another statement' : wordsAndPlace(own, task));
  }

  /** Prepares a statement; returns the server's error, if any. */
  async #prepare(sql: string): Promise<unknown> {
    return new Promise((resolve) => {
      this.#connection.prepare(sql, (error, statement) => {
        if (error === null) statement.close();
        resolve(error);
      });
    });
  }

  /**
   * Asks whether all rows came: a limit that the server applies by itself looks like the end of the rows, and
   * only a warning shows it.
   */
  async #askWhetherAll(task: SqlTask): Promise<void> {
    const answer = await this.#run('SHOW WARNINGS', task);
    const warnings = Array.isArray(answer) ? (answer as readonly Warning[]) : [];
    const cut = warnings.find(({ Code: code }) => CUT_SHORT.has(code));
    if (cut !== undefined) throw cutShort(task, cut.Message);
  }

  async #guarded<T>(task: SqlTask, work: Promise<T>): Promise<T> {
    return answered(work, task, this.#waiting);
  }
}

type MysqlRow = readonly unknown[];

interface Column {
  readonly name: string;
  readonly columnType?: number;
}

/** Protocol numbers of types of MySQL: values of BIT come as bytes, and those of TIMESTAMP are moments. */
const BIT = 16;
const TIMESTAMP = 7;

/** Returns the chosen columns of each row. */
function cellsOf(
  rows: readonly MysqlRow[],
  columns: readonly Column[],
  choose: ChooseColumns,
): readonly (readonly Cell[])[] {
  const picks = choose(columns.map((column) => column.name));
  return rows.map((row) => picks.map((index) => toCell(row[index], columns[index]?.columnType)));
}

/** The session's zone is UTC, and the driver writes no zone to the moments that it gets. */
function toCell(value: unknown, type: number | undefined): Cell {
  if (typeof value === 'string') {
    if (value.startsWith('0000-00-00')) return undefined;
    return type === TIMESTAMP ? `${value}+00` : value;
  }
  if (value === null || value === undefined) return undefined;
  if (!Buffer.isBuffer(value)) return JSON.stringify(value);
  return type === BIT ? BigInt(`0x${value.toString('hex')}`).toString() : value.toString('base64');
}

/** Returns the driver's options. Throws a `ConfigError` for a certificate that it could not check. */
function mysqlOptions(url: DatabaseUrl, port: number, settings: SqlSettings): ConnectionOptions {
  const socketPath = url.options.get('socketPath');
  return {
    host: url.host,
    port,
    user: url.user,
    password: url.password,
    database: url.database,
    ...(socketPath !== null && { socketPath }),
    ...(wantsTls(url, settings.tls) && secureOptions(url, settings)),
    connectTimeout: settings.timeoutSeconds * 1_000,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
  };
}

/** The driver compares the certificate with `host`, and with `localhost` if that is an address. */
function secureOptions({ host }: DatabaseUrl, { tls }: SqlSettings): ConnectionOptions {
  const { ca, rejectUnauthorized } = tlsOptions(tls, host);
  const ssl: SslOptions = {
    ...(ca !== undefined && { ca }),
    rejectUnauthorized: rejectUnauthorized === true,
    verifyIdentity: !tls.insecure,
  };
  if (!tls.insecure && isIP(host) !== 0) {
    throw new ConfigError(
      `source.url: the driver compares no certificate with an address; write the server's name instead of ${host}.`,
    );
  }
  return { ssl };
}
