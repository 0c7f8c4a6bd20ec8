import type { SqlEngine } from '../sql-connection.ts';

/** How one kind of database is asked for its clock, and for records by their keys. */
export interface EngineWords {
  /**
   * Query for one row: the time as UTC and as the server's own wall clock has it, `2026-01-31 12:30:00.000000`; what tells
   * this database from one that was put in its place; and a number that never gets smaller in it, or nothing.
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

/** Returns also, or instead of the text, what bytes are written as, where the key may be bytes. */
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
    // The functions of pg_control tell a server that was restored, where the user may call them.
    clock: `
      SELECT to_char(now() AT TIME ZONE 'UTC', ${POSTGRES_TIME}) AS utc,
        to_char(now() AT TIME ZONE (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'), ${POSTGRES_TIME}) AS wall,
        (SELECT oid FROM pg_database WHERE datname = current_database())::text || ' ' ||
          CASE WHEN has_function_privilege('pg_control_checkpoint()', 'EXECUTE')
            THEN (SELECT timeline_id FROM pg_control_checkpoint())::text ELSE '' END AS place,
        txid_snapshot_xmax(txid_current_snapshot())::text AS step`,
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
