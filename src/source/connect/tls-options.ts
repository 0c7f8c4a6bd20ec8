import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, type ConnectionOptions } from 'node:tls';

import { ConfigError } from '../../domain/errors.ts';
import type { LdapTls } from '../../domain/source-settings.ts';

/** Returns the options for `tls.connect` to `host`. A `caFile` replaces the authorities of the system. */
export function tlsOptions(tls: LdapTls, host: string): ConnectionOptions {
  const { caFile, certFile, keyFile, insecure } = tls;
  return {
    host,
    rejectUnauthorized: !insecure,
    ...(isIP(host) === 0 && { servername: host }),
    ...(caFile !== undefined && { ca: readPem(caFile, 'caFile') }),
    ...(certFile !== undefined && keyFile !== undefined && ownCertificate(certFile, keyFile)),
  };
}

/** Returns our certificate and its key. Throws a `ConfigError` if they cannot be used together. */
function ownCertificate(certFile: string, keyFile: string): ConnectionOptions {
  const own = { cert: readPem(certFile, 'certFile'), key: readPem(keyFile, 'keyFile') };
  try {
    createSecureContext(own);
  } catch (cause) {
    throw new ConfigError(
      `source.tls: ${certFile} and ${keyFile} cannot be used together: the key has to be that of the certificate, without a passphrase.`,
      { cause },
    );
  }
  return own;
}

const PEM = {
  caFile: { mark: '-----BEGIN CERTIFICATE-----', what: 'certificate' },
  certFile: { mark: '-----BEGIN CERTIFICATE-----', what: 'certificate' },
  keyFile: { mark: 'PRIVATE KEY-----', what: 'private key' },
} as const;

function readPem(path: string, key: keyof typeof PEM): string {
  const { mark, what } = PEM[key];
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes(mark)) return pem;
  } catch (cause) {
    throw new ConfigError(`source.tls.${key}: ${path} cannot be read; check its path and its permissions.`, {
      cause,
    });
  }
  const shown = key === 'keyFile' ? '' : ` (${mark})`;
  throw new ConfigError(`source.tls.${key}: ${path} holds no ${what} in PEM format${shown}.`);
}
