import type { ConnectionAttributes } from 'oracledb';

import { ConfigError } from '../../../domain/errors.ts';
import type { SqlSettings, SqlTls } from '../../../domain/source-settings.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { wantsTls, type DatabaseUrl } from '../database-url.ts';

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
