import type { Readable } from 'node:stream';
import type { ConnectionPool, Transaction } from 'mssql';
import type { SqlSettings } from '../kind.ts';
import { stopped } from '../../connect/network-problem.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { requireReading, TRANSACT_CHANGES } from '../optional-engines.ts';
import {
  BATCH,
  ended,
  nextBatch,
  oneResult,
  type QueryTask,
  type ResultPage,
  type SqlDriver,
  type Wait,
} from '../sql-connection.ts';
import {
  cellReader,
  sqlServerOptions,
  sqlServerProblem,
  type SqlServerLibrary,
} from './sqlserver-library.ts';

/** A column as the driver's event `recordset` shows it. */
interface LibraryColumn {
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
export function sqlServerDriver(
  settings: SqlSettings,
  seconds: number,
  library: SqlServerLibrary,
): SqlDriver {
  const url = parseDatabaseUrl(settings.url);
  const instance = url.options.get('instance');
  const port = instance === null ? `:${url.port ?? 1433}` : `\\${instance}`;
  const server = `the database sqlserver://${url.host}${port}/${url.database}`;
  let stream: Readable | null = null;
  /** Closes the sockets: the pool itself waits for requests to end. */
  const sockets = new Set<{ close(): void }>();
  const beforeConnect = (socket: { close(): void }): unknown => sockets.add(socket);
  const pool = new library.ConnectionPool({ ...sqlServerOptions(url, settings, seconds), beforeConnect });
  const transaction = new library.Transaction(pool);
  // Without a listener the error of a lost connection would end the process.
  pool.on('error', (error: Error) => stream?.destroy(error));
  const drop = (): void => {
    for (const socket of sockets) socket.close();
    stream?.destroy(stopped());
  };

  async function* rows(task: QueryTask, wait: Wait): AsyncGenerator<ResultPage> {
    requireReading(task, TRANSACT_CHANGES);
    const request = new library.Request(transaction);
    const results: (readonly LibraryColumn[])[] = [];
    request.on('recordset', (columns: readonly LibraryColumn[]) => results.push(columns));
    const reading = request.toReadableStream({ highWaterMark: BATCH });
    // The stream's reader gets the error. Until it reads, the error would end the process.
    reading.on('error', () => undefined);
    stream = reading;
    const asked = request.query(task.query).catch(() => undefined);
    const each = reading[Symbol.asyncIterator]() as AsyncIterator<readonly unknown[]>;
    let isLast = false;
    try {
      while (!isLast) {
        const batch = await wait(nextBatch(each));
        isLast = batch.last;
        yield { columns: oneResult(results, task).map(columnOf), rows: batch.rows };
      }
    } finally {
      stream = null;
      reading.destroy();
      // The transaction takes one query at a time.
      if (!isLast) request.cancel();
      if (!isLast) await ended(asked).catch(drop);
    }
  }

  const close = async (): Promise<void> => {
    await transaction.rollback();
    await pool.close();
  };
  const snapshot: SqlDriver['snapshot'] = async (wait) => begin({ server, pool, transaction, library }, wait);
  return { type: 'sqlserver', server, snapshot, rows, close, drop, translated: sqlServerProblem };
}

function columnOf({ name, type, scale }: LibraryColumn): ResultPage['columns'][number] {
  return { name, read: cellReader({ name, type: type?.declaration ?? '', scale }) };
}

interface Beginning {
  readonly server: string;
  readonly pool: ConnectionPool;
  readonly transaction: Transaction;
  readonly library: SqlServerLibrary;
}

/** Connects and begins the transaction: a snapshot, if the database allows it. */
async function begin(
  { server, pool, transaction, library }: Beginning,
  wait: Wait,
): ReturnType<SqlDriver['snapshot']> {
  await wait(pool.connect());
  const asked = pool.request().query<Readonly<Record<string, unknown>>>(ISOLATION);
  // Rows come as lists: the connection's setting.
  const [row] = (await wait(asked)).recordset.map((one) => Object.values(one));
  const { SNAPSHOT, READ_COMMITTED } = library.ISOLATION_LEVEL;
  const isAllowed = Number(row?.[0]) === 1;
  await wait(transaction.begin(isAllowed ? SNAPSHOT : READ_COMMITTED));
  if (isAllowed) return { snapshot: 'SNAPSHOT transaction, rolled back' };
  const each = row?.[1] === true ? ', each query in one state' : '';
  const warnings = [`${server}: ${NO_SNAPSHOT}.`];
  return { snapshot: `READ COMMITTED transaction${each}, rolled back`, warnings };
}
