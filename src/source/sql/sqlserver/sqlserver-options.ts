import type { config as Config } from 'mssql';

import type { SqlSettings } from '../../../domain/source-settings.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import type { DatabaseUrl } from '../database-url.ts';

const NEVER: ReadonlySet<string> = new Set(['false', 'no', '0', 'disable', 'optional']);

/**
 * Returns the driver's options. TLS is always asked for, as the server's own drivers do, unless the URL has
 * `encrypt=false`. The limits of time are those of the caller.
 */
export function sqlServerOptions(url: DatabaseUrl, settings: SqlSettings): Config {
  const { ca, rejectUnauthorized, servername } = tlsOptions(settings.tls, url.host);
  const instance = url.options.get('instance');
  const domain = url.options.get('domain');
  const milliseconds = settings.timeoutSeconds * 1_000;
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
      encrypt: isEncrypted(url, settings),
      trustServerCertificate: rejectUnauthorized === false,
      ...(servername !== undefined && servername !== url.host && { serverName: servername }),
      ...(ca !== undefined && { cryptoCredentialsDetails: { ca } }),
      ...(instance !== null && { instanceName: instance }),
      useUTC: true,
      lowerCaseGuids: true,
      enableArithAbort: true,
    },
  };
}

function isEncrypted({ options }: DatabaseUrl, { tls }: SqlSettings): boolean {
  if (tls.caFile !== undefined || tls.insecure || tls.serverName !== undefined) return true;
  return !NEVER.has((options.get('encrypt') ?? '').toLowerCase());
}
