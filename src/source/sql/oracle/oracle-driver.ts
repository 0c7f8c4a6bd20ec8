import type { Connection, ConnectionAttributes, DbType } from 'oracledb';
import { ConfigError } from '../../../domain/errors.ts';
import type { SqlSettings, SqlTls } from '../../../domain/source-settings.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { wantsTls, type DatabaseUrl } from '../database-url.ts';
import { loadDriver, LOCAL, momentOf, plainText, UTC, type OptionalDriver } from '../optional-engines.ts';

/** What is used of the driver `oracledb`, in its thin mode, which needs no Oracle client. */
export interface OracleDriver {
  getConnection(options: ConnectionAttributes): Promise<Connection>;
  readonly OUT_FORMAT_ARRAY: number;
  /** Types to fetch values as. */
  readonly STRING: DbType;
  readonly BUFFER: DbType;
}

export const ORACLE: OptionalDriver = { name: 'oracledb', packages: 'oracledb@26.0.0', database: 'Oracle' };

/** Loads the driver. Throws a `ConfigError` where it is not installed. */
export async function loadOracle(): Promise<OracleDriver> {
  const { default: driver } = await loadDriver(ORACLE, async () => import('oracledb'));
  return {
    getConnection: async (options) => driver.getConnection(options),
    OUT_FORMAT_ARRAY: driver.OUT_FORMAT_ARRAY,
    STRING: driver.STRING,
    BUFFER: driver.BUFFER,
  };
}

/**
 * Returns the driver's options. Throws a `ConfigError` for what it cannot do: it checks every certificate, and
 * compares either the host's name or the whole subject.
 */
export function oracleOptions(url: DatabaseUrl, settings: SqlSettings): ConnectionAttributes {
  const secure = wantsTls(url, settings.tls) || url.options.get('protocol') === 'tcps';
  return {
    user: url.user,
    password: url.password,
    connectString: connectString(url, secure),
    connectTimeout: settings.timeoutSeconds,
    transportConnectTimeout: settings.timeoutSeconds,
    ...(secure && tlsOf(settings.tls, url.host)),
  };
}

/** A descriptor in Oracle Net's own words: signs in names cannot become other words there. */
function connectString({ host, port, database, options }: DatabaseUrl, secure: boolean): string {
  const sid = options.get('sid');
  if (sid === null && database === '') {
    throw new ConfigError('source.url: names no service; write oracle://host:1521/SERVICE, or add ?sid=SID.');
  }
  const protocol = secure ? 'tcps' : 'tcp';
  const address = `(ADDRESS=(PROTOCOL=${protocol})(HOST=${plain(host)})(PORT=${port ?? (secure ? 2484 : 1521)}))`;
  const data = sid === null ? `(SERVICE_NAME=${plain(database)})` : `(SID=${plain(sid)})`;
  return `(DESCRIPTION=${address}(CONNECT_DATA=${data}))`;
}

function plain(name: string): string {
  if (/[()=\s'"]/u.test(name)) {
    throw new ConfigError('source.url: the names of host and service have no brackets, quotes, = or blanks.');
  }
  return name;
}

function tlsOf(tls: SqlTls, host: string): Partial<ConnectionAttributes> {
  const { insecure, serverName, ...rest } = tls;
  if (insecure) {
    throw new ConfigError(
      'source.tls.insecure: Oracle’s driver checks every certificate; set source.tls.caFile to the authority’s certificate instead.',
    );
  }
  if (serverName !== undefined && !serverName.includes('=')) {
    throw new ConfigError(
      'source.tls.serverName: Oracle’s driver compares the whole subject of the certificate; write it, as in CN=db,O=Example, or use the certificate’s name in source.url.',
    );
  }
  const { ca } = tlsOptions({ ...rest, insecure }, host);
  return {
    sslServerDNMatch: true,
    ...(serverName !== undefined && { sslServerCertDN: serverName }),
    ...(ca !== undefined && { walletContent: ca as string }),
  };
}

/** An error as `sqlError` takes it: the database's words, and a code for which there is a remedy. */
class OracleProblem extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Codes of the network, with the driver's code or the words that stand for them. */
const NETWORK: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/u, 'ECONNREFUSED'],
  [/^NJS-530/u, 'ENOTFOUND'],
  [/^NJS-510|ETIMEDOUT/u, 'ETIMEDOUT'],
  [/^NJS-50[78]/u, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/self[- ]signed certificate|unable to (?:verify|get).*certificate/iu, 'CERT_UNTRUSTED'],
  [/certificate has expired/iu, 'CERT_HAS_EXPIRED'],
  [/wrong version number/iu, 'ERR_SSL_WRONG_VERSION_NUMBER'],
  [/does not match.*certificate|NJS-50[78]/iu, 'ERR_TLS_CERT_ALTNAME_INVALID'],
];

/** Returns an error of the driver with the code of what it says: it keeps that of Node in its words alone. */
export function oracleProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [line = ''] = error.message.split('\n');
  const known = NETWORK.find(([pattern]) => pattern.test(error.message));
  const own = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new OracleProblem(line.replace(/ \(CONNECTION_ID=[^)]*\)/u, ''), known?.[1] ?? own, error);
}

/** A column of a result, as the driver describes it. */
export interface OracleColumn {
  readonly name: string;
  /** `NUMBER`, `TIMESTAMP WITH TIME ZONE` …; empty where the driver knows no name. */
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
