import type { FullReadNeededError } from '../../../domain/errors.ts';
import { fullRead } from '../../../domain/full-reads.ts';
import { wentBack } from '../../increments/clock.ts';
import { firstValue, type Cell } from '../../mapping/values/raw-record.ts';
import { sqlProblem } from '../sql-error.ts';
import type { SqlConnection, SqlEngine } from '../sql-connection.ts';

/** How one kind of database is asked for its clock, and for records by their keys. */
export interface EngineWords {
  /**
   * Query for one row: the time as UTC and as the server's own wall clock has it, `2026-01-31 12:30:00.000000`; what tells
   * this database from one that was put in its place; a number that never gets smaller in it, or nothing; and by how many
   * seconds a replica is behind, if it tells that.
   */
  readonly clock: string;
  /** Returns the name of a column, exactly as a result has it. */
  readonly name: (column: string) => string;
  /** Returns the values that a key may stand for. */
  readonly key: (key: string) => readonly string[];
  /** Returns a time of the clock, with milliseconds. */
  readonly time: (time: string) => string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const utf8 = (text: string): string => `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`;
const double = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** Bytes come as base64: a key that ends as this does may be bytes, as those of a UUID. */
function bytesOf(key: string): string | null {
  const bytes = Buffer.from(key, 'base64');
  return key.endsWith('=') && bytes.toString('base64') === key ? bytes.toString('hex') : null;
}

/** Returns also, or instead of the text, what bytes are written as, if the key may be bytes. */
function orBytes(
  key: string,
  text: readonly string[],
  bytes: (hex: string) => readonly string[],
): readonly string[] {
  const hex = bytesOf(key);
  return hex === null ? text : bytes(hex);
}

const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/u;

const POSTGRES_TIME = `'YYYY-MM-DD HH24:MI:SS.US'`;
const MYSQL_TIME = `'%Y-%m-%d %H:%i:%s.%f'`;

export const ENGINE_WORDS = {
  postgres: {
    // The functions of pg_control tell a server that was restored, if the user may call them. Of the two ends of a
    // snapshot neither gets smaller: the first stays behind while a transaction before the last one has not ended.
    clock: `
      SELECT to_char(now() AT TIME ZONE 'UTC', ${POSTGRES_TIME}) AS utc,
        to_char(now() AT TIME ZONE (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'), ${POSTGRES_TIME}) AS wall,
        (SELECT oid FROM pg_database WHERE datname = current_database())::text || ' ' ||
          CASE WHEN has_function_privilege('pg_control_checkpoint()', 'EXECUTE')
            THEN (SELECT timeline_id FROM pg_control_checkpoint())::text ELSE '' END AS place,
        (SELECT (txid_snapshot_xmin(s) + txid_snapshot_xmax(s))::text FROM txid_current_snapshot() s) AS step,
        CASE WHEN pg_is_in_recovery()
          THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::text END AS behind`,
    name: double,
    // The type of the column says what a text means.
    key: (key) => orBytes(key, [quoted(key)], (hex) => [quoted(key), quoted(`\\x${hex}`)]),
    time: quoted,
  },
  mysql: {
    clock: `
      SELECT DATE_FORMAT(UTC_TIMESTAMP(6), ${MYSQL_TIME}) AS utc,
        DATE_FORMAT(CONVERT_TZ(UTC_TIMESTAMP(6), '+00:00', @@global.time_zone), ${MYSQL_TIME}) AS wall,
        CONCAT(@@server_id, ' ', DATABASE()) AS place, NULL AS step`,
    name: (column) => `\`${column.replaceAll('`', '``')}\``,
    // Whether a backslash escapes is a setting of the server.
    key: (key) => orBytes(key, [utf8(key)], (hex) => [utf8(key), `X'${hex}'`]),
    time: quoted,
  },
  sqlite: {
    clock: `SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS utc, strftime('%Y-%m-%d %H:%M:%f', 'now', 'localtime') AS wall,
      '' AS place, NULL AS step`,
    name: double,
    // A column that is calculated has no type: then a number equals a number alone.
    key: (key) =>
      orBytes(key, INTEGER.test(key) ? [quoted(key), key] : [quoted(key)], (hex) => [
        quoted(key),
        `X'${hex}'`,
      ]),
    // Compared as text: a time without a fraction comes before the same one with it.
    time: (time) => quoted(time.slice(0, 19)),
  },
  sqlserver: {
    clock: `SELECT CONVERT(varchar(26), SYSUTCDATETIME(), 121) AS utc, CONVERT(varchar(26), SYSDATETIME(), 121) AS wall,
      CONCAT(@@SERVERNAME, ' ', DB_ID(), ' ', (SELECT CONVERT(varchar(36), recovery_fork_guid)
        FROM sys.database_recovery_status WHERE database_id = DB_ID())) AS place, NULL AS step`,
    name: (column) => `[${column.replaceAll(']', ']]')}]`,
    // Texts and bytes cannot be compared.
    key: (key) => orBytes(key, [`N${quoted(key)}`], (hex) => [`0x${hex}`]),
    time: (time) => quoted(time.slice(0, 23).replace(' ', 'T')),
  },
  oracle: {
    clock: `SELECT TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'YYYY-MM-DD HH24:MI:SS.FF6') AS utc,
      TO_CHAR(CAST(SYSTIMESTAMP AS TIMESTAMP), 'YYYY-MM-DD HH24:MI:SS.FF6') AS wall,
      SYS_CONTEXT('USERENV', 'DB_UNIQUE_NAME') AS place, NULL AS step FROM dual`,
    name: double,
    key: (key) => orBytes(key, [quoted(key)], (hex) => [`HEXTORAW('${hex}')`]),
    time: (time) => `TIMESTAMP ${quoted(time.slice(0, 23))}`,
  },
} as const satisfies Readonly<Record<SqlEngine, EngineWords>>;

/** What a database reports about itself at the beginning of a read. */
export interface DatabaseClock {
  /** Time as UTC, `2026-01-31 12:30:00.000`. */
  readonly utc: string;
  /**
   * The earlier one of UTC and the server's wall clock, since it is unknown in which of them a column is written; of a
   * replica, as of the last transaction that it has.
   */
  readonly earliest: string;
  /** How far UTC is ahead of our own clock, ms. */
  readonly aheadOfUs: number;
  /** How far the wall clock is ahead of UTC, seconds. */
  readonly aheadSeconds: number;
  /** Tells this database from another one that was put in its place. */
  readonly place: string;
  /** Never gets smaller in this database; `null`: it tells nothing of that kind. */
  readonly step: number | null;
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}$/u;

/**
 * Reads the clock. Called before anything else of a read.
 *
 * @param at when the read began, by our own clock
 */
export async function readClock(connection: SqlConnection, at: Date): Promise<DatabaseClock> {
  const [utc, wall, place, step, behind] = await oneRow(connection, ENGINE_WORDS[connection.type].clock);
  const [atUtc, onWall] = [timeOf(utc), timeOf(wall ?? utc)];
  const file = connection.file?.();
  const stepText = firstValue(step);
  return {
    utc: atUtc,
    earliest: secondsBefore(onWall < atUtc ? onWall : atUtc, Number(firstValue(behind) ?? 0)),
    aheadOfUs: millisecondsOf(atUtc) - at.getTime(),
    aheadSeconds: Math.round((millisecondsOf(onWall) - millisecondsOf(atUtc)) / 1_000),
    place: file?.place ?? firstValue(place) ?? '',
    step: file?.step ?? (stepText === undefined ? null : Number(stepText)),
  };
}

function timeOf(cell: Cell | undefined): string {
  const time = firstValue(cell) ?? '';
  if (TIME.test(time)) return time;
  throw sqlProblem('sql-no-clock', { time });
}

async function oneRow(connection: SqlConnection, query: string): Promise<readonly Cell[]> {
  let row: readonly Cell[] = [];
  for await (const rows of connection.rows(query, (columns) => [...columns.keys()])) row = rows[0] ?? row;
  return row;
}

/**
 * Returns why nothing can be added to what was read at an earlier time; `null`: it can.
 *
 * @param overlapSeconds by how much the clock may have gone back without that a change is missed
 */
export function whyRestored(
  before: DatabaseClock,
  now: DatabaseClock,
  overlapSeconds: number,
): FullReadNeededError | null {
  if (before.place !== now.place) return fullRead('full-restored', { what: 'the database is another one' });
  if (now.utc < before.utc || wentBack(before, now, overlapSeconds * 1_000))
    return fullRead('full-clock', {});
  if (before.aheadSeconds !== now.aheadSeconds) return fullRead('full-summer', {});
  const isEarlier = before.step !== null && now.step !== null && now.step < before.step;
  return isEarlier ? fullRead('full-restored', { what: 'the count of transactions went back' }) : null;
}

const millisecondsOf = (time: string): number => Date.parse(`${time.slice(0, 23).replace(' ', 'T')}Z`);

/** Returns the time so many seconds before. */
export function secondsBefore(time: string, seconds: number): string {
  const at = millisecondsOf(time) - seconds * 1_000;
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}
