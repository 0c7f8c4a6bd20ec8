import { sourceSecret } from '../../connect/source-secret.ts';
import type { SqlSettings } from '../kind.ts';
import { schemeOf } from '../../../schema/url-problems.ts';
import type { SourceContext } from '../../records/source-context.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import type { SQL_SCHEMES } from '../kind.ts';
import { openConnection, type SqlConnection, type SqlDriver } from '../sql-connection.ts';

type MakeDriver = (settings: SqlSettings, seconds: number) => Promise<SqlDriver>;

/** Drivers are loaded only when their database is asked for: each costs some 10 MB and 40 ms. */
const postgres: MakeDriver = async (...asked) =>
  (await import('../postgres-driver.ts')).postgresDriver(...asked);
const mysql: MakeDriver = async (...asked) => (await import('../mysql-driver.ts')).mysqlDriver(...asked);
const sqlite: MakeDriver = async (...asked) => (await import('../sqlite-driver.ts')).sqliteDriver(...asked);

/** Throws a `ConfigError` if the driver is not installed. */
const sqlServer: MakeDriver = async (...asked) => {
  const { loadSqlServer } = await import('../sqlserver/sqlserver-library.ts');
  const { sqlServerDriver } = await import('../sqlserver/sqlserver-driver.ts');
  return sqlServerDriver(...asked, await loadSqlServer());
};

/** Throws a `ConfigError` if the driver is not installed or cannot do what the settings say. */
const oracle: MakeDriver = async (...asked) => {
  const { loadOracle } = await import('../oracle/oracle-library.ts');
  const { oracleDriver } = await import('../oracle/oracle-driver.ts');
  return oracleDriver(...asked, await loadOracle());
};

const DRIVERS: Readonly<Record<string, MakeDriver>> = {
  'postgres:': postgres,
  'postgresql:': postgres,
  'mysql:': mysql,
  'mariadb:': mysql,
  'sqlserver:': sqlServer,
  'mssql:': sqlServer,
  'oracle:': oracle,
  'sqlite:': sqlite,
} satisfies Readonly<Record<(typeof SQL_SCHEMES)[number], MakeDriver>>;

/** Seconds for each answer: a query may look through large tables before it has its first rows. */
const PATIENCE = 300;

/** Connects to the database of the settings, as a read does. */
export async function connectDatabase(settings: SqlSettings, signal: AbortSignal): Promise<SqlConnection> {
  const { timeoutSeconds: seconds = PATIENCE, url } = settings;
  const driver = await (DRIVERS[schemeOf(url)] ?? sqlite)(settings, seconds);
  return openConnection(driver, { seconds, signal });
}

/** Connects as a read does, with the password as it is now. */
export async function connectWithPassword(
  { password, ...settings }: SqlSettings,
  { onSecret, refusals }: Pick<SourceContext, 'onSecret' | 'refusals'>,
  signal: AbortSignal,
): Promise<SqlConnection> {
  if (password === undefined && schemeOf(settings.url) === 'sqlite:')
    return connectDatabase(settings, signal);
  const own = password === undefined ? '' : await sourceSecret(password, 'source.password');
  if (own !== '') onSecret?.(own);
  const user = /^[^/]*\/\/[^/@]*(?=@)/u;
  const url =
    own === ''
      ? settings.url
      : settings.url.replace(user, (before) => `${before}:${encodeURIComponent(own)}`);
  const { user: name, host, password: secret } = parseDatabaseUrl(url);
  return refusals.tried(`${name} at ${host}`, secret, async () =>
    connectDatabase({ ...settings, url }, signal),
  );
}
