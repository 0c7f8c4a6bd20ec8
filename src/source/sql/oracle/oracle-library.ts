import type { Connection, ConnectionAttributes, DbType } from 'oracledb';
import { ConfigError } from '../../../domain/errors.ts';
import type { SqlSettings } from '../kind.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { connectSeconds } from '../sql-connection.ts';
import { wantsTls, type DatabaseUrl } from '../database-url.ts';
import { loadDriver, LOCAL, momentOf, plainText, UTC, type OptionalDriver } from '../optional-engines.ts';

/** What is used of the driver `oracledb`, in its thin mode, which needs no Oracle client. */
export interface OracleLibrary {
  getConnection(options: ConnectionAttributes): Promise<Connection>;
  readonly OUT_FORMAT_ARRAY: number;
  /** Types to fetch values as. */
  readonly STRING: DbType;
  readonly BUFFER: DbType;
}

export const ORACLE: OptionalDriver = { name: 'oracledb', packages: 'oracledb@26.0.0', database: 'Oracle' };

/** Loads the driver. Throws a `ConfigError` if it is not installed. */
export async function loadOracle(): Promise<OracleLibrary> {
  const { default: driver } = await loadDriver(ORACLE, async () => import('oracledb'));
  return {
    getConnection: async (options) => driver.getConnection(options),
    OUT_FORMAT_ARRAY: driver.OUT_FORMAT_ARRAY,
    STRING: driver.STRING,
    BUFFER: driver.BUFFER,
  };
}

const isSecure = (url: DatabaseUrl, { tls }: SqlSettings): boolean =>
  wantsTls(url, tls) || url.options.get('protocol') === 'tcps';

/** Returns the port that is meant if the URL has none. */
export const usualPort = (url: DatabaseUrl, settings: SqlSettings): number =>
  isSecure(url, settings) ? 2484 : 1521;

/** Returns the driver's options. Throws a `ConfigError` for what it cannot do: it checks every certificate. */
export function oracleOptions(
  url: DatabaseUrl,
  settings: SqlSettings,
  seconds: number,
): ConnectionAttributes {
  const { tls } = settings;
  const secure = isSecure(url, settings);
  if (tls.insecure) {
    throw new ConfigError(
      'source.tls.insecure: Oracle’s driver checks every certificate; set source.tls.caFile to the authority’s certificate instead.',
    );
  }
  const { ca } = tlsOptions(tls, url.host);
  return {
    user: url.user,
    password: url.password,
    connectString: connectString({ ...url, port: url.port ?? usualPort(url, settings) }, secure),
    connectTimeout: connectSeconds(seconds),
    transportConnectTimeout: connectSeconds(seconds),
    ...(secure && { sslServerDNMatch: true }),
    ...(ca !== undefined && { walletContent: ca }),
  };
}

/** A descriptor in Oracle Net's own words: signs in names cannot become other words there. */
function connectString({ host, port, database }: DatabaseUrl, secure: boolean): string {
  if (database === '' || /[()=\s'"]/u.test(host + database)) {
    throw new ConfigError(
      'source.url: write oracle://host:1521/SERVICE; host and service have no brackets, quotes, = or blanks.',
    );
  }
  const address = `(PROTOCOL=${secure ? 'tcps' : 'tcp'})(HOST=${host})(PORT=${port})`;
  return `(DESCRIPTION=(ADDRESS=${address})(CONNECT_DATA=(SERVICE_NAME=${database})))`;
}

/** A column of a result, as the driver describes it. */
export interface OracleColumn {
  readonly name: string;
  /** `NUMBER`, `TIMESTAMP WITH TIME ZONE` …; empty if the driver knows no name. */
  readonly type: string;
}

/** What the driver is asked to fetch values of a type as. */
export const FETCHED_AS: Readonly<Record<string, 'text' | 'bytes' | undefined>> = {
  NUMBER: 'text',
  CLOB: 'text',
  NCLOB: 'text',
  LONG: 'text',
  XMLTYPE: 'text',
  BLOB: 'bytes',
};

/** The driver takes days and times without a zone for those of this process. */
const WITHOUT_ZONE: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP']);
const NOT_VALUES: ReadonlySet<string> = new Set(['CURSOR', 'OBJECT', 'BFILE']);

/**
 * Returns how the values of a column become text.
 *
 * @throws Error for a column whose values are several
 */
export function cellReader({ name, type }: OracleColumn): (value: unknown) => Cell {
  if (NOT_VALUES.has(type)) {
    throw new Error(`the column ${name} is of type ${type}, which has no text; select its parts`);
  }
  const ofDate = WITHOUT_ZONE.has(type)
    ? (date: Date): string => momentOf(date, LOCAL)
    : (date: Date): string => `${momentOf(date, UTC)}+00`;
  return (value) => {
    if (value === null || value === undefined) return undefined;
    return value instanceof Date ? ofDate(value) : plainText(value);
  };
}
