import { RollcallError, SourceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';
import { networkProblem } from '../connect/network-problem.ts';
import { RefusedSecretError } from '../connect/refusals.ts';

/** A database as messages name it, without credentials, and the current query. */
export interface SqlTask {
  /** E.g. `the database postgres://db:5432/hr`. */
  readonly server: string;
  readonly query?: string;
}

const ACCESS = 'access';
const NO_SERVICE =
  'the listener knows no such service; check the name in source.url (oracle://host:1521/SERVICE)';
const INCOMPLETE = 'the read is incomplete and nothing of it is used';

/** Why a read of a database is incomplete, and nothing of it is used. */
export const sqlProblem = problemsOf(SourceError, {
  'sql-failed': '{place}: {why}{words}.',
  'sql-slow':
    '{server}: no answer within {seconds} s: the read is incomplete and nothing of it is used; make the query faster, or ' +
    'let it read a view that is kept ready.',
  'sql-cut':
    '{place}: the server cut the result: the read is incomplete and nothing of it is used; take the limit out of the ' +
    'query, or raise it ({words}).',
  'sql-replaced':
    '{server}: {what} was replaced or emptied while it was read: the read is incomplete and nothing of it is used. Read ' +
    'at another time than it is loaded.',
  'sql-not-select':
    '{place}: it was not sent; make it one statement that reads: SELECT, WITH … SELECT or VALUES, without INTO ({words}).',
  'sql-no-file': '{server} {why}; check source.url.',
  'sql-no-clock': 'the database tells no time, but {time}; set source.changes: off.',
  'sql-column': "{places}: the query's result has {what}.",
});

/** Why a database lets nobody in. */
export const sqlRefused = problemsOf(RefusedSecretError, {
  'sql-refused':
    '{place}: the database refuses this user or password; check the user in source.url and its password{words}.',
});

/** Remedies by PostgreSQL's SQLSTATE and by MySQL's and SQLite's codes. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['28P01', ACCESS],
  ['28000', 'the database refuses this user from here; check source.url and the server’s pg_hba.conf'],
  ['3D000', 'there is no such database; check the name in source.url'],
  ['42501', 'the user in source.url may not read that; grant SELECT on it'],
  ['25006', 'the query changes data, which a source never does; make it a SELECT'],
  [
    '57014',
    `the server cancelled the query: ${INCOMPLETE}; make the query faster, or let it read a view that is kept ready`,
  ],
  ['57P01', `the server ended the connection: ${INCOMPLETE}`],
  ['57P03', 'the database is starting up; it is tried again at the next run'],
  ['53300', 'the database has no connection left; it is tried again at the next run'],
  ['ER_ACCESS_DENIED_ERROR', ACCESS],
  ['ER_ACCESS_DENIED_NO_PASSWORD_ERROR', ACCESS],
  ['ER_DBACCESS_DENIED_ERROR', 'the user in source.url may not use this database; grant SELECT on it'],
  ['ER_TABLEACCESS_DENIED_ERROR', 'the user in source.url may not read that; grant SELECT on it'],
  ['ER_BAD_DB_ERROR', 'there is no such database; check the name in source.url'],
  [
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'the query changes data, which a source never does; make it a SELECT',
  ],
  ['PROTOCOL_CONNECTION_LOST', `the server closed the connection: ${INCOMPLETE}`],
  ['sqlserver 18456', ACCESS],
  ['sqlserver 4060', 'there is no such database, or this user may not use it; check the name in source.url'],
  ['sqlserver 229', 'the user in source.url may not read that; grant SELECT on it'],
  ['ORA-01017', ACCESS],
  ['ORA-01005', ACCESS],
  ['ORA-12514', NO_SERVICE],
  ['ORA-01456', 'the query changes data, which a source never does; make it a SELECT'],
  [
    'SQLITE_CANTOPEN',
    'the file does not exist or cannot be opened; check source.url and the file’s permissions',
  ],
  ['SQLITE_NOTADB', 'the file is no SQLite database; check source.url'],
  ['SQLITE_BUSY', 'somebody else is writing to it for too long; it is tried again at the next run'],
  ['SQLITE_READONLY', 'the query changes data, which a source never does; make it a SELECT'],
]);

/**
 * Translates an error of a driver, Node or the network; see `rows`.
 *
 * @param before number of characters of the statement before the query
 */
export function sqlError(error: unknown, task: SqlTask, before = 0): RollcallError {
  if (error instanceof RollcallError) return error;
  const code = textOf(error, 'code') ?? '';
  const words = wordsOf(error);
  const remedy = REMEDIES.get(code);
  const why = remedy ?? networkProblem(error) ?? wordsAndPlace(error, task, before);
  const own = remedy === undefined || words === '' ? '' : ` (${words})`;
  const values = { place: placeOf(task), words: own };
  return remedy === ACCESS
    ? sqlRefused('sql-refused', values, { cause: error })
    : sqlProblem('sql-failed', { ...values, why }, { cause: error });
}

/** Returns the error for a driver that does not answer any more. */
export const lateError = ({ server }: SqlTask, seconds: number): SourceError =>
  sqlProblem('sql-slow', { server, seconds });

/** Returns the error for a query that the server ended before all rows were found. */
export const cutShort = (task: SqlTask, words: string): SourceError =>
  sqlProblem('sql-cut', { place: placeOf(task), words: words.trim() });

/** Returns the error for a table that others replaced during the read. */
export const replaced = ({ server }: SqlTask, table: string): SourceError =>
  sqlProblem('sql-replaced', { server, what: `the table ${table}` }, { isPassing: true });

/** Returns the error for a query that the server's own parser does not accept as one that only reads. */
export const notOneSelect = (task: SqlTask, words: string): SourceError =>
  sqlProblem('sql-not-select', { place: placeOf(task), words });

function placeOf({ server, query }: SqlTask): string {
  return query === undefined ? server : `${server}, the query ${shortened(query)}`;
}

function wordsOf(error: unknown): string {
  const words = textOf(error, 'sqlMessage') ?? textOf(error, 'message') ?? String(error);
  const [line = ''] = words.trim().split('\n');
  return line.replace(/\.$/, '');
}

/**
 * Returns what the server says; PostgreSQL also says where in the statement, counted in characters from 1.
 *
 * @param before number of characters of the statement before the query
 */
export function wordsAndPlace(error: unknown, { query }: SqlTask, before = 0): string {
  const words = wordsOf(error);
  const position = Number(textOf(error, 'position')) - before;
  if (!(position > 0) || query === undefined) return words;
  const lines = query.slice(0, position - 1).split('\n');
  return `${words} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`;
}

export function codeOf(error: unknown): string | null {
  return textOf(error, 'code');
}

function shortened(query: string): string {
  const line = query.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

function textOf(error: unknown, key: string): string | null {
  if (typeof error !== 'object' || error === null || !(key in error)) return null;
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : null;
}
