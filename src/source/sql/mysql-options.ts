import { connect, isIP } from 'node:net';

import type { ConnectionOptions, SslOptions } from 'mysql2';

import { ConfigError } from '../../domain/errors.ts';
import type { SqlSettings } from '../../domain/source-settings.ts';
import { tlsOptions } from '../connect/tls-options.ts';
import { wantsTls, type DatabaseUrl } from './database-url.ts';

/** Returns the driver's options. Throws a `ConfigError` for a certificate that it could not check. */
export function mysqlOptions(url: DatabaseUrl, port: number, settings: SqlSettings): ConnectionOptions {
  const socketPath = url.options.get('socketPath');
  return {
    host: url.host,
    port,
    user: url.user,
    password: url.password,
    database: url.database,
    ...(socketPath !== null && { socketPath }),
    ...(wantsTls(url, settings.tls) && secureOptions(url, port, settings)),
    connectTimeout: settings.timeoutSeconds * 1_000,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
  };
}

/**
 * The driver compares the certificate with `host`, and with `localhost` where that is an address. Where the certificate
 * has another name than the URL, it gets that name as its host, and a connection to the real one.
 */
function secureOptions({ host }: DatabaseUrl, port: number, { tls }: SqlSettings): ConnectionOptions {
  const { ca, rejectUnauthorized } = tlsOptions(tls, host);
  const ssl: SslOptions = {
    ...(ca !== undefined && { ca: ca as string }),
    rejectUnauthorized: rejectUnauthorized === true,
    verifyIdentity: !tls.insecure,
  };
  const name = tls.serverName ?? host;
  if (tls.insecure) return { ssl };
  if (isIP(name) !== 0) {
    throw new ConfigError(
      `source.url: the driver compares no certificate with an address; write the server's name instead of ${name}, or set source.tls.serverName to the name in its certificate.`,
    );
  }
  return name === host ? { ssl } : { ssl, host: name, stream: () => connect(port, host) };
}
