import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import { ConfigError } from '../../domain/errors.ts';

export interface TlsSettings {
  readonly caFile?: string | undefined;
  readonly insecure: boolean;
}

/** Returns the options for `tls.connect` to `host`. A `caFile` replaces the authorities of the system. */
export function tlsOptions(tls: TlsSettings, host: string): ConnectionOptions {
  return {
    host,
    rejectUnauthorized: !tls.insecure,
    ...(isIP(host) === 0 && { servername: host }),
    ...(tls.caFile !== undefined && { ca: readCa(tls.caFile) }),
  };
}

function readCa(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  } catch (cause) {
    throw new ConfigError(`source.tls.caFile: ${path} cannot be read; check its path and its permissions.`, {
      cause,
    });
  }
  throw new ConfigError(
    `source.tls.caFile: ${path} holds no certificate in PEM format (-----BEGIN CERTIFICATE-----).`,
  );
}
