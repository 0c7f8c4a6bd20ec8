import { Socket } from 'node:net';
import { Client, types, type ClientConfig, type CustomTypesConfig } from 'pg';
import type { SqlSettings } from './kind.ts';
import { tlsOptions } from '../connect/tls-options.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { parseDatabaseUrl, wantsTls, type DatabaseUrl } from './database-url.ts';
import {
  asItIs,
  BATCH,
  connectSeconds,
  ended,
  type QueryTask,
  type ResultPage,
  type SqlDriver,
  type Wait,
} from './sql-connection.ts';
import { codeOf, notOneSelect, replaced, sqlError, wordsAndPlace } from './sql-error.ts';

const CURSOR = 'rollcall';
/**
 * Query for a table that the transaction has read and that has other storage by now than in its snapshot. Functions see
 * the catalog as it is now, tables as of the snapshot.
 */
const REPLACED = `
  SELECT l.relation::regclass::text AS name FROM pg_locks l LEFT JOIN pg_class c ON c.oid = l.relation
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
    AND (c.oid IS NULL OR c.relfilenode <> 0 AND pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode) LIMIT 1`;
const DECLARE = `DECLARE ${CURSOR} NO SCROLL CURSOR FOR `;

/**
 * SQLSTATEs of statements for which no cursor is declared: a syntax error, INTO, data changed within WITH.
 */
const NOT_ONE_SELECT: ReadonlySet<string> = new Set(['42601', '42P11', '0A000']);

/** Dates are ISO, times UTC: the server's defaults may differ. All rows are read: the fastest way to the first is not the best. */
const SESSION =
  "SET datestyle TO 'ISO, YMD'; SET timezone TO 'UTC'; SET bytea_output TO 'hex'; SET cursor_tuple_fraction TO 1";

/** A connection to PostgreSQL. It reads by a cursor of the server, so that memory stays flat. */
export function postgresDriver(settings: SqlSettings, seconds: number): SqlDriver {
  const url = parseDatabaseUrl(settings.url);
  const port = url.port ?? 5432;
  const socket = new Socket();
  const drop = (): void => void socket.destroy();
  const client = new Client({ ...clientOptions(url, settings, seconds), port, stream: () => socket });
  // Also rejects pending promises; without a listener the error would end the process.
  client.on('error', drop);
  let valueTypes = postgresTypes(new Set());

  async function snapshot(wait: Wait): Promise<{ readonly snapshot: string }> {
    await wait(client.connect());
    await wait(client.query(SESSION));
    await wait(client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
    const arrays = await wait(client.query<{ readonly oid: number }>(ARRAY_TYPES));
    valueTypes = postgresTypes(new Set(arrays.rows.map(({ oid }) => oid)));
    return { snapshot: 'REPEATABLE READ READ ONLY transaction' };
  }

  /**
   * Fetches the next rows, as a statement of its own. The time limit of a statement goes on while a portal of the
   * extended protocol is suspended (PostgreSQL, exec_execute_message): it would be one for all rows together.
   */
  async function fetch(wait: Wait): Promise<ResultPage> {
    const asked = { text: `FETCH ${BATCH} FROM ${CURSOR}`, rowMode: 'array', types: valueTypes } as const;
    const page = await wait(client.query<unknown[]>(asked));
    return { rows: page.rows, columns: page.fields.map(({ name }) => ({ name, read: asItIs })) };
  }

  async function* rows(task: QueryTask, wait: Wait): AsyncGenerator<ResultPage> {
    await declare(client, task, wait);
    let next: Promise<ResultPage> | null = fetch(wait);
    let healthy = false;
    try {
      while (next !== null) {
        healthy = false;
        const page: ResultPage = await next;
        healthy = true;
        next = page.rows.length < BATCH ? null : fetch(wait);
        next?.catch(() => undefined);
        yield page;
      }
      await requireUnreplaced(client, task, wait);
    } finally {
      if (healthy) await leave(next);
    }
  }

  /** Closes the cursor, so that the next query can have its name. */
  async function leave(pending: Promise<ResultPage> | null): Promise<void> {
    await pending?.catch(() => undefined);
    if (!socket.destroyed) await ended(client.query(`CLOSE ${CURSOR}`)).catch(drop);
  }

  const close = async (): Promise<void> => (socket.destroyed ? undefined : client.end());
  const server = `the database postgres://${url.host}:${port}/${url.database}`;
  return { type: 'postgres', server, snapshot, rows, close, drop };
}

/**
 * Lets the server's own parser check a query before anything of it is executed: a cursor can be declared for
 * one SELECT or VALUES that changes nothing (PostgreSQL, DECLARE), and declaring executes nothing of it. A
 * superuser's COPY … TO PROGRAM would be executed even in a read-only transaction.
 */
async function declare(client: Client, task: QueryTask, wait: Wait): Promise<void> {
  const declared = client.query({ text: DECLARE + task.query, queryMode: 'extended' } as {
    readonly text: string;
  });
  const placed = declared.catch((error: unknown) => {
    if (NOT_ONE_SELECT.has(codeOf(error) ?? ''))
      throw notOneSelect(task, wordsAndPlace(error, task, DECLARE.length));
    throw sqlError(error, task, DECLARE.length);
  });
  await wait(placed);
}

/**
 * Throws if a table was put in place of another one, or emptied by TRUNCATE, since the snapshot began: its rows are
 * those of no moment (PostgreSQL, "Caveats" of MVCC).
 */
async function requireUnreplaced(client: Client, task: QueryTask, wait: Wait): Promise<void> {
  const [table] = (await wait(client.query<{ readonly name: string }>(REPLACED))).rows;
  if (table !== undefined) throw replaced(task, table.name);
}

function clientOptions(url: DatabaseUrl, settings: SqlSettings, seconds: number): ClientConfig {
  return {
    host: url.host,
    ...(url.user !== '' && { user: url.user }),
    ...(url.password !== '' && { password: url.password }),
    ...(url.database !== '' && { database: url.database }),
    ssl: wantsTls(url, settings.tls) ? tlsOptions(settings.tls, url.host) : false,
    application_name: 'rollcall',
    connectionTimeoutMillis: connectSeconds(seconds) * 1_000,
    statement_timeout: seconds * 1_000,
    keepAlive: true,
  };
}

/** OIDs from src/include/catalog/pg_type.dat. */
const BOOL = 16;
const BYTEA = 17;
/** OID of `text[]`; the driver's own list has no arrays. */
const TEXT_ARRAY: number = 1009;
type Parser = (text: string) => Cell;

/** Query for the types of arrays, also of enums and domains; not those of the rows of tables. */
const ARRAY_TYPES = `
  SELECT a.oid FROM pg_type a JOIN pg_type e ON e.typarray = a.oid
  WHERE e.typtype <> 'c' AND e.typdelim = ','`;

/**
 * Reads every value as the text that PostgreSQL writes: no digits are lost, no dates move between zones.
 * Arrays become lists.
 *
 * @param arrays OIDs that `ARRAY_TYPES` found
 */
function postgresTypes(arrays: ReadonlySet<number>): CustomTypesConfig {
  return { getTypeParser: (oid: number) => parserOf(oid, arrays) };
}

function parserOf(oid: number, arrays: ReadonlySet<number>): Parser {
  if (oid === BOOL) return (text) => (text === 't' ? 'true' : 'false');
  if (oid === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex').toString('base64');
  return arrays.has(oid) ? arrayCell : (text) => text;
}

type ArrayParser = (text: string) => readonly unknown[];
const parserById: (oid: number) => unknown = types.getTypeParser;
const parseArray = parserById(TEXT_ARRAY) as ArrayParser;

function arrayCell(text: string): Cell {
  return parseArray(text)
    .flat(6)
    .filter((value): value is string => typeof value === 'string');
}
