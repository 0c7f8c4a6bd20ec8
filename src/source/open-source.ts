import { ConfigError } from '../domain/errors.ts';
import type { SourceSettings, SqlSettings } from '../domain/settings.ts';
import type { Source } from '../domain/records/source.ts';
import {
  ofKind,
  schemeOf,
  SCHEMES_TO_COME,
  SOURCE_KINDS,
  type OfKinds,
  type SqlScheme,
} from '../domain/source-kinds.ts';
import { withPictures } from './pictures/with-pictures.ts';
import { ldapSource } from './ldap/ldap-source.ts';
import { sqlSource, type ConnectSql } from './sql/sql-source.ts';

type Connector = (settings: SqlSettings) => ConnectSql;

/** Connectors load a driver only when its database is asked for: each costs some 10 MB and 40 ms. */
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

const CONNECTORS = {
  'postgres:': postgres,
  'postgresql:': postgres,
  'mysql:': mysql,
  'mariadb:': mysql,
  'sqlite:': sqlite,
} as const satisfies Readonly<Record<SqlScheme, Connector>>;

const OPENERS: OfKinds<Source> = {
  ldap: ldapSource,
  sql: (settings) => sqlSource(settings, connectorOf(settings)(settings)),
};

/**
 * Returns the source of the settings, its rules compiled; nothing is contacted yet. Throws a `ConfigError`
 * for what is wrong without asking the source: an expression, a filter, a base that is no DN, a kind of
 * source that is not supported.
 *
 * @param pictures path that the name of a folder for the pictures of logos begins with; `null`: they are only looked at
 */
export function openSource(settings: SourceSettings, pictures: string | null = null): Source {
  const scheme = schemeOf(settings.url);
  if (SCHEMES_TO_COME.includes(scheme)) throw new ConfigError(`source.url: ${scheme} is not supported yet.`);
  const { schemes, urls } = SOURCE_KINDS[settings.type];
  if (!schemes.some((one) => one === scheme)) throw new ConfigError(`source.url: expected ${urls}.`);
  const source = ofKind(OPENERS, settings);
  return 'logo' in source.rules.unit ? withPictures(source, pictures) : source;
}

function connectorOf({ url }: SqlSettings): Connector {
  const scheme = SOURCE_KINDS.sql.schemes.find((one) => one === schemeOf(url));
  return CONNECTORS[scheme ?? 'sqlite:'];
}
