import { ConfigError } from '../domain/errors.ts';
import type { SourceSettings, SqlSettings } from '../domain/settings.ts';
import type { Source } from '../domain/records/source.ts';
import { ldapSource } from './ldap/ldap-source.ts';
import { sqlSource, type ConnectSql } from './sql/sql-source.ts';

type Connector = (settings: SqlSettings) => ConnectSql;

/** Drivers are loaded when their database is asked for: each costs some 10 MB and 40 ms. */
const postgres: Connector = (settings) => async (signal) => {
  const { PostgresConnection } = await import('./sql/postgres-connection.ts');
  return PostgresConnection.open(settings, signal);
};
const mysql: Connector = (settings) => async (signal) => {
  const { MysqlConnection } = await import('./sql/mysql-connection.ts');
  return MysqlConnection.open(settings, signal);
};
const sqlite: Connector = (settings) => async (signal) => {
  const { openSqlite } = await import('./sql/sqlite-connection.ts');
  return openSqlite(settings, signal);
};

const CONNECTORS: ReadonlyMap<string, Connector> = new Map([
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysql],
  ['mariadb', mysql],
  ['sqlite', sqlite],
]);

const LATER: ReadonlySet<string> = new Set(['sqlserver', 'mssql', 'oracle', 'http', 'https']);

/**
 * The source of the settings, its rules compiled; nothing is contacted yet. Throws a `ConfigError` for what is wrong
 * without asking the source: an expression, a filter, a base that is no DN, a kind of source that is not supported.
 */
export function openSource(settings: SourceSettings): Source {
  const scheme =
    /^(?<scheme>[a-z][a-z0-9+.-]*):/i.exec(settings.url)?.groups?.['scheme']?.toLowerCase() ?? '';
  if (LATER.has(scheme)) throw new ConfigError(`source.url: ${scheme}: is not supported yet.`);
  if (settings.type === 'ldap') {
    if (scheme !== 'ldap' && scheme !== 'ldaps')
      throw new ConfigError('source.url: expected ldap:// or ldaps://.');
    return ldapSource(settings);
  }
  const connector = CONNECTORS.get(scheme);
  if (connector === undefined) {
    throw new ConfigError('source.url: expected postgres://, mysql://, mariadb:// or sqlite:PATH.');
  }
  return sqlSource(settings, connector(settings));
}
