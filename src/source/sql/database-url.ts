import { normalize } from 'node:path';

import { ConfigError } from '../../domain/errors.ts';
import type { SourceIdentity } from '../../domain/reading/source-identity.ts';

export interface DatabaseUrl {
  readonly host: string;
  /** Port; `null`: the driver's default. */
  readonly port: number | null;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly options: URLSearchParams;
}

/**
 * Parses `scheme://user:password@host:port/database?option=value`. Passwords come from variables and files as
 * they are, so `@`, `/`, `#` and `?` in one need no escaping: the last `@` ends it. `%41` is decoded where it
 * decodes.
 */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const rest = url.slice(url.indexOf(':') + 1).replace(/^\/\//, '');
  const at = rest.lastIndexOf('@');
  const place =
    /^(?<host>\[[^\]]*\]|[^/:?]*)(?::(?<port>\d+))?(?:\/(?<database>[^?]*))?(?:\?(?<options>.*))?$/s.exec(
      rest.slice(at + 1),
    )?.groups;
  if (place === undefined) {
    throw new ConfigError('source.url: expected scheme://user:password@host:port/database.');
  }
  const [user = '', ...password] = at < 0 ? [] : rest.slice(0, at).split(':');
  const options = new URLSearchParams(place['options'] ?? '');
  return {
    host: options.get('host') ?? ((place['host'] ?? '').replaceAll(/[[\]]/g, '') || 'localhost'),
    port: place['port'] === undefined ? null : Number(place['port']),
    user: decoded(user),
    password: decoded(password.join(':')),
    database: decoded(place['database'] ?? ''),
    options,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Values of an option that allow a connection without TLS, in the words of all engines. */
const PLAIN: ReadonlySet<string> = new Set(
  'false no 0 off disable disabled allow prefer preferred optional'.split(' '),
);

const ABOUT_TLS = /ssl|tls|encrypt|cert|secure|channel_?binding|gssenc/iu;

/**
 * Returns whether to use TLS: `source.tls` asks for it, or an option of the URL has a value that does not allow to go
 * without. If there is no option, it is as `usually`. The certificate is then always checked. Throws a ConfigError for
 * an option about TLS under another name, so that nobody goes without TLS who has asked for it.
 */
export function wantsTls(
  { options }: DatabaseUrl,
  tls: { readonly caFile?: string | undefined; readonly insecure: boolean },
  { names, usually } = { names: ['sslmode', 'ssl-mode', 'ssl'], usually: false },
): boolean {
  if (tls.caFile !== undefined || tls.insecure) return true;
  // `?ssl` alone asks for it, and `?sslmode=` for nothing.
  const values = names
    .flatMap((name) => options.getAll(name).map((value) => value || (name === 'ssl' ? 'true' : '')))
    .filter((value) => value !== '');
  const other = [...options.keys()].find((name) => ABOUT_TLS.test(name) && !names.includes(name));
  if (values.length === 0 && other !== undefined)
    throw new ConfigError(
      `source.url: the option ${other} is not known: write ${names[0]}=…, or set source.tls.`,
    );
  return values.length === 0 ? usually : values.some((value) => !PLAIN.has(value.toLowerCase()));
}

/** Returns the path in `sqlite:PATH`, relative to the working directory, or in `sqlite:///abs`. */
export function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\//, '');
  if (path === '')
    throw new ConfigError('source.url: sqlite: takes the path of a file, e.g. sqlite:/data/hr.db.');
  return path;
}

/** Returns what tells one database from another, without user, password and options. */
export function placeOfDatabase(url: string): Pick<SourceIdentity, 'kind' | 'place'> {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (scheme === 'sqlite') return { kind: 'sqlite', place: normalize(sqlitePath(url)) };
  const { host, port, database, user, options } = parseDatabaseUrl(url);
  const { kind, usual } = ENGINES[scheme] ?? { kind: 'mysql', usual: 3306 };
  const instance = options.get('instance');
  const named = instance === null ? '' : `\\${instance.toLowerCase()}`;
  const server = `${host.toLowerCase()}${named}${port === null || port === usual ? '' : `:${port}`}`;
  // PostgreSQL takes the user's name for the database if none is named.
  const place = `${server}/${database || (kind === 'postgres' ? user : '')}`;
  return { kind, place };
}

/** Engines by the scheme of their URLs, with the port that they usually have. */
const ENGINES: Readonly<
  Record<string, { readonly kind: SourceIdentity['kind']; readonly usual: number } | undefined>
> = {
  postgres: { kind: 'postgres', usual: 5432 },
  postgresql: { kind: 'postgres', usual: 5432 },
  sqlserver: { kind: 'sqlserver', usual: 1433 },
  mssql: { kind: 'sqlserver', usual: 1433 },
  oracle: { kind: 'oracle', usual: 1521 },
};
