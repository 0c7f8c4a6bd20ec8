import type { config as Config, ConnectionPool, Request, Transaction } from 'mssql';
import type { SqlSettings } from '../kind.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { connectSeconds } from '../sql-connection.ts';
import { wantsTls, type DatabaseUrl } from '../database-url.ts';
import {
  dayOf,
  loadDriver,
  momentOf,
  plainText,
  timeOf,
  UTC,
  type OptionalDriver,
} from '../optional-engines.ts';

/** What is used of the driver `mssql`, which speaks with the server through `tedious`. */
export interface SqlServerLibrary {
  readonly ConnectionPool: new (options: Config) => ConnectionPool;
  readonly Transaction: new (pool: ConnectionPool) => Transaction;
  readonly Request: new (transaction: Transaction) => Request;
  readonly ISOLATION_LEVEL: { readonly READ_COMMITTED: 2; readonly SNAPSHOT: 5 };
}

/** mssql takes tedious 19 or 20; 20 wants Node 22. */
export const SQL_SERVER: OptionalDriver = {
  name: 'mssql',
  packages: 'mssql@12.7.14 tedious@19.2.2',
  database: 'SQL Server',
};

/** Loads the driver. Throws a `ConfigError` if it is not installed. */
export async function loadSqlServer(): Promise<SqlServerLibrary> {
  const { default: driver } = await loadDriver(SQL_SERVER, async () => import('mssql'));
  return {
    ConnectionPool: driver.ConnectionPool,
    Transaction: driver.Transaction,
    Request: driver.Request,
    ISOLATION_LEVEL: { READ_COMMITTED: 2, SNAPSHOT: 5 },
  };
}

/**
 * Returns the driver's options. TLS is always asked for, as the server's own drivers do, unless the URL has
 * `encrypt=false`. The limits of time are those of the caller.
 */
export function sqlServerOptions(url: DatabaseUrl, settings: SqlSettings, seconds: number): Config {
  const { ca, rejectUnauthorized } = tlsOptions(settings.tls, url.host);
  const instance = url.options.get('instance');
  const domain = url.options.get('domain');
  const milliseconds = connectSeconds(seconds) * 1_000;
  return {
    server: url.host,
    ...(instance === null && { port: url.port ?? 1433 }),
    user: url.user,
    password: url.password,
    ...(url.database !== '' && { database: url.database }),
    ...(domain !== null && { domain }),
    connectionTimeout: milliseconds,
    requestTimeout: 0,
    arrayRowMode: true,
    pool: { min: 0, max: 1, acquireTimeoutMillis: milliseconds },
    options: {
      appName: 'rollcall',
      encrypt: wantsTls(url, settings.tls, { names: ['encrypt'], usually: true }),
      trustServerCertificate: rejectUnauthorized === false,
      ...(ca !== undefined && { cryptoCredentialsDetails: { ca } }),
      ...(instance !== null && { instanceName: instance }),
      useUTC: true,
      lowerCaseGuids: true,
      enableArithAbort: true,
    },
  };
}

/**
 * Returns the innermost reason: errors of the server have a number, those of the network stand within several of the
 * driver.
 */
export function sqlServerProblem(error: unknown): unknown {
  const chain = chainOf(error);
  const numbered = chain.find((one) => typeof one['number'] === 'number');
  if (numbered === undefined) return chain.at(-1) ?? error;
  const code = `sqlserver ${String(numbered['number'])}`;
  return Object.assign(new Error(numbered.message, { cause: error }), { code });
}

type Link = Error & Readonly<Record<string, unknown>>;

/** Returns an error, the one that it was made from, and so on to the first. */
function chainOf(error: unknown, depth = 0): readonly Link[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const link = error as Link;
  const several: unknown = link['errors'];
  const [first]: readonly unknown[] = Array.isArray(several) ? several : [];
  return [link, ...chainOf(link['originalError'] ?? link.cause ?? first, depth + 1)];
}

/** A column of a result, as the driver describes it. */
export interface SqlServerColumn {
  readonly name: string;
  /** `bigint`, `datetime2` …; empty if the driver knows no name. */
  readonly type: string;
  readonly scale: number | undefined;
}

type ToText = (value: unknown) => string;

/**
 * Returns how the values of a column become text.
 *
 * @throws Error for a number of which the driver has lost digits
 */
export function cellReader(column: SqlServerColumn): (value: unknown) => Cell {
  const toText = readerOf(column);
  return (value) => (value === null || value === undefined ? undefined : toText(value));
}

function readerOf(column: SqlServerColumn): ToText {
  const { type, scale = 0 } = column;
  if (type === 'decimal' || type === 'numeric') return exactly(column, scale);
  return type === 'money' || type === 'smallmoney' ? exactly(column, 4) : (READERS[type] ?? byValue);
}

const ofDate =
  (spell: (value: Date) => string): ToText =>
  (value) =>
    value instanceof Date ? spell(value) : byValue(value);

/** The driver is set to read days and times without a zone as UTC, so that none of them moves. */
const READERS: Readonly<Record<string, ToText>> = {
  date: ofDate((value) => dayOf(value, UTC)),
  time: ofDate((value) => timeOf(value, UTC)),
  datetime: ofDate((value) => momentOf(value, UTC)),
  datetime2: ofDate((value) => momentOf(value, UTC)),
  smalldatetime: ofDate((value) => momentOf(value, UTC)),
  datetimeoffset: ofDate((value) => `${momentOf(value, UTC)}+00`),
  real: (value) => (typeof value === 'number' ? shortest(value) : byValue(value)),
};

function byValue(value: unknown): string {
  return value instanceof Date ? momentOf(value, UTC) : plainText(value);
}

/**
 * The driver divides a decimal's digits by 10^scale as a JavaScript number. All digits are back as long as they
 * make an integer of at most 2^53.
 */
function exactly({ name }: SqlServerColumn, scale: number): ToText {
  return (value) => {
    if (typeof value !== 'number') return byValue(value);
    if (Math.abs(value) * 10 ** scale <= Number.MAX_SAFE_INTEGER) return value.toFixed(scale);
    throw new Error(
      `the column ${name} has a number with more digits than the driver keeps (near ${value}); read it as text: CAST(${name} AS varchar(40)) AS ${name}`,
    );
  };
}

/** Returns the shortest decimal that is this 32-bit number. */
function shortest(value: number): string {
  const short = [6, 7, 8]
    .map((digits) => Number(value.toPrecision(digits)))
    .find((each) => Math.fround(each) === value);
  return String(short ?? value);
}
