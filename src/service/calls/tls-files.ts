import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../../domain/errors.ts';
import type { ServiceTls } from '../../domain/settings.ts';
import { fileProblem } from '../files/file-problem.ts';

/** Options for `tls.connect`. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

/**
 * Reads the files of `service.tls`. Throws a ConfigError where one cannot be read, is not what it should be,
 * or does not fit the others.
 */
export function readTls({ caFile, certFile, keyFile, serverName }: ServiceTls): TlsOptions {
  const options = {
    ...(caFile !== undefined && { ca: readPem('caFile', caFile, CERTIFICATE) }),
    ...(certFile !== undefined && { cert: readPem('certFile', certFile, CERTIFICATE) }),
    ...(keyFile !== undefined && { key: readPem('keyFile', keyFile, KEY) }),
  };
  check('caFile', caFile, () => everyCertificate(options.ca));
  check('certFile', certFile, () => everyCertificate(options.cert));
  check('keyFile', keyFile, () => createSecureContext(options));
  return { ...options, ...(serverName !== undefined && { servername: serverName }) };
}

type Key = Exclude<keyof ServiceTls, 'serverName'>;

interface Kind {
  readonly pattern: RegExp;
  readonly words: string;
}

const CERTIFICATE: Kind = {
  pattern: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/u,
  words: 'no certificate in PEM format (-----BEGIN CERTIFICATE-----)',
};
const KEY: Kind = {
  pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/u,
  words: 'no private key in PEM format (-----BEGIN PRIVATE KEY-----)',
};

function readPem(key: Key, file: string, { pattern, words }: Kind): string {
  const pem = textOf(key, file);
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/u.test(pem)) {
    throw new ConfigError(
      `service.tls.${key}: ${file} needs a passphrase; give a key without one, readable only by rollcall.`,
    );
  }
  if (pattern.test(pem)) return pem;
  throw new ConfigError(`service.tls.${key}: ${file} holds ${words}; give a file that does.`);
}

function textOf(key: Key, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(
      `service.tls.${key}: ${file} cannot be read: ${fileProblem(cause)}; check path and permissions.`,
      { cause },
    );
  }
}

/** Parses every certificate of a file: TLS skips over a damaged one in silence. */
function everyCertificate(pem = ''): readonly X509Certificate[] {
  const texts = pem.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/gu) ?? [];
  return texts.map((text) => new X509Certificate(text));
}

/** The cause is left out: OpenSSL's error may hold parts of the key. */
function check(key: Key, file: string | undefined, parse: () => unknown): void {
  if (file === undefined) return;
  try {
    parse();
  } catch {
    const fits = key === 'keyFile' ? ' or does not belong to service.tls.certFile' : '';
    throw new ConfigError(`service.tls.${key}: ${file} is damaged${fits}; give the right file.`);
  }
}
