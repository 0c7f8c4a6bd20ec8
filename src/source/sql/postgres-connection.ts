import { Socket } from 'node:net';
import { Client, types, type ClientConfig, type CustomTypesConfig } from 'pg';
import type { SqlSettings } from '../../domain/source-settings.ts';
import { stopped } from '../connect/network-problem.ts';
import { tlsOptions } from '../connect/tls-options.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { parseDatabaseUrl, wantsTls, type DatabaseUrl } from './database-url.ts';
import {
  answered,
  BATCH,
  opened,
  ended,
  type ChooseColumns,
  type QueryTimeout,
  type SqlConnection,
} from './sql-connection.ts';
import { codeOf, notOneSelect, replaced, sqlError, wordsAndPlace, type SqlTask } from './sql-error.ts';

type PostgresRow = readonly (Cell | null)[];

interface CursorPage {
  readonly rows: readonly PostgresRow[];
  readonly columns: readonly string[];
}

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

/** A connection to PostgreSQL. It reads by a cursor of the server, so that memory stays flat. */
export class PostgresConnection implements SqlConnection {
  readonly type = 'postgres';
  readonly snapshot = 'REPEATABLE READ READ ONLY transaction';
  readonly #client: Client;
  readonly #socket = new Socket();
  readonly #task: SqlTask;
  readonly #waiting: QueryTimeout;
  #types = postgresTypes(new Set());
  readonly #drop = (): void => void this.#socket.destroy();

  private constructor(settings: SqlSettings, signal: AbortSignal) {
    const url = parseDatabaseUrl(settings.url);
    const port = url.port ?? 5432;
    this.#task = { server: `the database postgres://${url.host}:${port}/${url.database}` };
    this.#waiting = { seconds: settings.timeoutSeconds, signal };
    this.#client = new Client({ ...clientOptions(url, settings), port, stream: () => this.#socket });
    // Also rejects pending promises; without a listener the error would end the process.
    this.#client.on('error', this.#drop);
    signal.addEventListener('abort', this.#drop);
  }

  static async open(settings: SqlSettings, signal: AbortSignal): Promise<PostgresConnection> {
    const connection = new PostgresConnection(settings, signal);
    return opened(connection, () => connection.#begin());
  }

  async *rows(query: string, choose: ChooseColumns): AsyncGenerator<readonly (readonly Cell[])[]> {
    const task = { ...this.#task, query };
    await this.#declare(task);
    let picks: readonly number[] | null = null;
    let next: Promise<CursorPage> | null = this.#fetch(task);
    let healthy = false;
    try {
      while (next !== null) {
        healthy = false;
        const page: CursorPage = await next;
        healthy = true;
        picks ??= choose(page.columns);
        next = page.rows.length < BATCH ? null : this.#fetch(task);
        next?.catch(() => undefined);
        yield page.rows.map((row) => (picks ?? []).map((index) => row[index] ?? undefined));
      }
      await this.#requireUnreplaced(task);
    } finally {
      if (healthy) await this.#leave(next);
    }
  }

  /**
   * Lets the server's own parser check a query before anything of it is executed: a cursor can be declared for
   * one SELECT or VALUES that changes nothing (PostgreSQL, DECLARE), and declaring executes nothing of it. A
   * superuser's COPY … TO PROGRAM would be executed even in a read-only transaction.
   */
  async #declare(task: SqlTask & { readonly query: string }): Promise<void> {
    const declare = { text: DECLARE + task.query, queryMode: 'extended' };
    const declared = this.#client.query(declare).then(
      () => null,
      (error: unknown) => error,
    );
    const error = await this.#guarded(task, declared);
    if (NOT_ONE_SELECT.has(codeOf(error) ?? '')) {
      throw notOneSelect(task, wordsAndPlace(error, task, DECLARE.length));
    }
    if (error !== null)
      throw this.#waiting.signal.aborted ? stopped() : sqlError(error, task, DECLARE.length);
  }

  /**
   * Throws if a table was put in place of another one, or emptied by TRUNCATE, since the snapshot began: its rows are
   * those of no moment (PostgreSQL, "Caveats" of MVCC).
   */
  async #requireUnreplaced(task: SqlTask): Promise<void> {
    const asked = this.#client.query<{ readonly name: string }>(REPLACED);
    const [table] = (await this.#guarded(task, asked)).rows;
    if (table !== undefined) throw replaced(this.#task, table.name);
  }

  /** Closes the cursor, so that the next query can have its name. */
  async #leave(pending: Promise<CursorPage> | null): Promise<void> {
    await pending?.catch(() => undefined);
    if (this.#socket.destroyed) return;
    await ended(this.#client.query(`CLOSE ${CURSOR}`)).catch(this.#drop);
  }

  async close(): Promise<void> {
    this.#waiting.signal.removeEventListener('abort', this.#drop);
    if (!this.#socket.destroyed) await ended(this.#client.end()).catch(() => undefined);
    this.#drop();
  }

  /** Begins the transaction. It sets ISO dates and UTC, because the server's defaults may differ. */
  async #begin(): Promise<void> {
    await this.#guarded(this.#task, this.#client.connect());
    await this.#guarded(
      this.#task,
      this.#client.query(
        "SET datestyle TO 'ISO, YMD'; SET timezone TO 'UTC'; SET bytea_output TO 'hex'; " +
          // All rows are read: the fastest way to the first ones is not the best one.
          'SET cursor_tuple_fraction TO 1',
      ),
    );
    await this.#guarded(this.#task, this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
    const arrays = this.#client.query<{ readonly oid: number }>(ARRAY_TYPES);
    const { rows } = await this.#guarded(this.#task, arrays);
    this.#types = postgresTypes(new Set(rows.map(({ oid }) => oid)));
  }

  /**
   * Fetches the next rows, as a statement of its own. The time limit of a statement goes on while a portal of the
   * extended protocol is suspended (PostgreSQL, exec_execute_message): it would be one for all rows together.
   */
  async #fetch(task: SqlTask): Promise<CursorPage> {
    const fetch = { text: `FETCH ${BATCH} FROM ${CURSOR}`, rowMode: 'array', types: this.#types } as const;
    const { rows, fields } = await this.#guarded(task, this.#client.query<Cell[]>(fetch));
    return { rows, columns: fields.map(({ name }) => name) };
  }

  async #guarded<T>(task: SqlTask, work: Promise<T>): Promise<T> {
    return answered(work, task, this.#waiting);
  }
}

function clientOptions(url: DatabaseUrl, settings: SqlSettings): ClientConfig {
  const milliseconds = settings.timeoutSeconds * 1_000;
  return {
    host: url.host,
    ...(url.user !== '' && { user: url.user }),
    ...(url.password !== '' && { password: url.password }),
    ...(url.database !== '' && { database: url.database }),
    ssl: wantsTls(url, settings.tls) ? tlsOptions(settings.tls, url.host) : false,
    application_name: 'rollcall',
    connectionTimeoutMillis: milliseconds,
    statement_timeout: milliseconds,
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
