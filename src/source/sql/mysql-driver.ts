import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createConnection, type Connection, type ConnectionOptions, type SslOptions } from 'mysql2';
import { ConfigError } from '../../domain/errors.ts';
import type { SqlSettings } from './kind.ts';
import { stopped } from '../connect/network-problem.ts';
import { tlsOptions } from '../connect/tls-options.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import {
  BATCH,
  connectSeconds,
  nextBatch,
  oneResult,
  type QueryTask,
  type ResultPage,
  type SqlDriver,
  type Wait,
} from './sql-connection.ts';
import { parseDatabaseUrl, wantsTls, type DatabaseUrl } from './database-url.ts';
import { codeOf, cutShort, notOneSelect, wordsAndPlace } from './sql-error.ts';

const PORT = 3306;

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
export function mysqlDriver(settings: SqlSettings, seconds: number): SqlDriver {
  const url = parseDatabaseUrl(settings.url);
  const scheme = settings.url.startsWith('mariadb:') ? 'mariadb' : 'mysql';
  const connection = createConnection(mysqlOptions(url, settings, seconds));
  let stream: Readable | null = null;
  // A killed connection ends neither a stream nor a question by itself: the read would wait until its time is over.
  const killed = new Promise<never>((_, reject) => connection.on('error', reject));
  killed.catch((error: unknown) => stream?.destroy(error as Error));
  const alive =
    (wait: Wait): Wait =>
    async (work) =>
      wait(Promise.race([work, killed]));

  async function snapshot(untilLate: Wait): Promise<{ readonly snapshot: string }> {
    const wait = alive(untilLate);
    await wait(called((done) => connection.connect(done)));
    await wait(
      run(`SET SESSION time_zone = '+00:00', net_write_timeout = 600, sql_select_limit = ${NO_LIMIT}`),
    );
    await wait(run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'));
    return { snapshot: 'CONSISTENT SNAPSHOT, READ ONLY transaction' };
  }

  const run = async (sql: string): Promise<unknown> => called((done) => connection.query(sql, done));

  async function* rows(task: QueryTask, untilLate: Wait): AsyncGenerator<ResultPage> {
    const wait = alive(untilLate);
    await requireSelect(connection, task, wait);
    const results: (readonly Column[] | undefined)[] = [];
    const reading = connection
      .query({ sql: task.query, rowsAsArray: true })
      .stream({ highWaterMark: BATCH })
      .on('fields', (fields: readonly Column[] | undefined) => results.push(fields));
    stream = reading;
    const each = reading[Symbol.asyncIterator]() as AsyncIterator<readonly unknown[]>;
    try {
      for (let isLast = false; !isLast;) {
        const batch = await wait(nextBatch(each));
        isLast = batch.last;
        yield { columns: oneResult(results, task).map(columnOf), rows: batch.rows };
      }
      requireWhole(await wait(run('SHOW WARNINGS')), task);
    } finally {
      stream = null;
      reading.destroy();
    }
  }

  const drop = (): void => {
    stream?.destroy(stopped());
    connection.destroy();
  };
  const server = `the database ${scheme}://${url.host}:${url.port ?? PORT}/${url.database}`;
  return { type: 'mysql', server, snapshot, rows, close: async () => undefined, drop };
}

/** Returns what a function of the driver calls back with. */
async function called(
  call: (done: (error: Error | null, result?: unknown) => void) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

/**
 * Lets the server's own parser check a query before it is sent to be executed: within FROM ( ) only one
 * SELECT, WITH or VALUES without INTO can stand, and preparing a statement executes nothing of it. DROP,
 * TRUNCATE, SET GLOBAL and INTO OUTFILE would be executed even in a read-only transaction. Other errors are
 * reported by the query itself.
 */
async function requireSelect(connection: Connection, task: QueryTask, wait: Wait): Promise<void> {
  const within = `SELECT 1 FROM (\n${task.query.replace(/[\s;]+$/u, '')}\n) AS rollcall`;
  if (codeOf(await wait(prepare(connection, within))) !== 'ER_PARSE_ERROR') return;
  const own = await wait(prepare(connection, task.query));
  throw notOneSelect(task, own === null ? 'it is another statement' : wordsAndPlace(own, task));
}

/** Prepares a statement; returns the server's error, if any. */
async function prepare(connection: Connection, sql: string): Promise<unknown> {
  return new Promise((resolve) => {
    connection.prepare(sql, (error, statement) => {
      if (error === null) statement.close();
      resolve(error);
    });
  });
}

/** Throws if not all rows came: a limit that the server applies by itself looks like the end of the rows. */
function requireWhole(answer: unknown, task: QueryTask): void {
  const warnings = Array.isArray(answer) ? (answer as readonly Warning[]) : [];
  const cut = warnings.find(({ Code: code }) => CUT_SHORT.has(code));
  if (cut !== undefined) throw cutShort(task, cut.Message);
}

interface Column {
  readonly name: string;
  readonly columnType?: number;
}

/** Protocol numbers of types of MySQL: values of BIT come as bytes, and those of TIMESTAMP are moments. */
const BIT = 16;
const TIMESTAMP = 7;

const columnOf = ({ name, columnType }: Column): ResultPage['columns'][number] => ({
  name,
  read: (value) => toCell(value, columnType),
});

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
function mysqlOptions(url: DatabaseUrl, settings: SqlSettings, seconds: number): ConnectionOptions {
  const socketPath = url.options.get('socketPath');
  return {
    host: url.host,
    port: url.port ?? PORT,
    user: url.user,
    password: url.password,
    database: url.database,
    ...(socketPath !== null && { socketPath }),
    ...(wantsTls(url, settings.tls) && secureOptions(url, settings)),
    connectTimeout: connectSeconds(seconds) * 1_000,
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
