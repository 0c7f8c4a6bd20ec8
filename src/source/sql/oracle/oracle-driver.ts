import type { Connection, FetchTypeResponse, Metadata, ResultSet } from 'oracledb';
import type { SqlSettings } from '../kind.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { ORACLE_CHANGES, requireReading } from '../optional-engines.ts';
import {
  BATCH,
  ended,
  oneResult,
  type QueryTask,
  type ResultPage,
  type SqlDriver,
  type Wait,
} from '../sql-connection.ts';
import {
  cellReader,
  FETCHED_AS,
  oracleOptions,
  usualPort,
  type OracleColumn,
  type OracleLibrary,
} from './oracle-library.ts';

/**
 * A connection to Oracle, in the driver's thin mode. Throws a `ConfigError` for what the driver cannot do.
 */
export function oracleDriver(settings: SqlSettings, seconds: number, library: OracleLibrary): SqlDriver {
  const url = parseDatabaseUrl(settings.url);
  const options = oracleOptions(url, settings, seconds);
  const server = `the database oracle://${url.host}:${url.port ?? usualPort(url, settings)}/${url.database}`;
  let connecting: Promise<Connection> | null = null;

  async function connected(): Promise<Connection> {
    connecting ??= library.getConnection(options);
    return connecting;
  }

  async function snapshot(wait: Wait): Promise<{ readonly snapshot: string }> {
    const connection = await wait(connected());
    connection.callTimeout = seconds * 1_000;
    await wait(connection.execute("ALTER SESSION SET TIME_ZONE = '+00:00'"));
    await wait(connection.execute('SET TRANSACTION READ ONLY'));
    return { snapshot: 'READ ONLY transaction' };
  }

  async function* rows(task: QueryTask, wait: Wait): AsyncGenerator<ResultPage> {
    requireReading(task, ORACLE_CHANGES);
    const { columns: described, result } = await ask(await connected(), { task, library, wait });
    try {
      const columns = described.map((column) => ({ name: column.name, read: cellReader(column) }));
      for (let isLast = false; !isLast;) {
        const batch = await wait(result.getRows(BATCH));
        isLast = batch.length < BATCH;
        yield { columns, rows: batch };
      }
    } finally {
      await ended(result.close()).catch(() => undefined);
    }
  }

  return {
    type: 'oracle',
    server,
    snapshot,
    rows,
    // One that is made after the caller stopped waiting for it is closed too.
    close: async () => (await connecting)?.close({ drop: true }),
    // What is broken off by it rejects; a connection that is lost already has nothing to break off.
    drop: () => void connecting?.then(async (connection) => connection.break()).catch(() => undefined),
  };
}

interface Asking {
  readonly task: QueryTask;
  readonly library: OracleLibrary;
  readonly wait: Wait;
}

/** Executes a query; the driver names a second column of one name `ID_1`, so that names are taken before. */
async function ask(
  connection: Connection,
  { task, library, wait }: Asking,
): Promise<{ readonly columns: readonly OracleColumn[]; readonly result: ResultSet<readonly unknown[]> }> {
  const columns: OracleColumn[] = [];
  const fetchTypeHandler = (column: Metadata<unknown>): FetchTypeResponse | undefined => {
    const type = column.dbTypeName ?? '';
    columns.push({ name: column.name, type });
    const as = FETCHED_AS[type];
    return as === undefined ? undefined : { type: as === 'text' ? library.STRING : library.BUFFER };
  };
  const how = {
    resultSet: true,
    outFormat: library.OUT_FORMAT_ARRAY,
    fetchArraySize: BATCH,
    prefetchRows: BATCH,
    fetchTypeHandler,
  };
  const text = task.query.replace(/[\s;]+$/u, '');
  const { resultSet } = await wait(connection.execute<readonly unknown[]>(text, [], how));
  return { columns, result: oneResult([resultSet], task) };
}
