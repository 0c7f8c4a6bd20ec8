import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { fileProblem } from '../file-problem.ts';

/** PEM files for TLS, as they are named in a configuration. */
export interface TlsFiles {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Options for `tls.connect`. */
export interface TlsPems {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const PATTERNS = {
  ca: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/u,
  cert: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/u,
  key: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/u,
} as const;

/**
 * Reads the files.
 * @param fail makes the error that is thrown, of the name of a file's setting and a sentence: what is wrong; what to do
 */
export function readTlsFiles(
  { caFile, certFile, keyFile }: TlsFiles,
  fail: (key: keyof TlsFiles, sentence: string, cause?: unknown) => Error,
): TlsPems {
  const read = (key: keyof TlsPems, file: string | undefined): TlsPems => {
    if (file === undefined) return {};
    try {
      return { [key]: readPem(file, key) };
    } catch (error) {
      if (error instanceof PemProblem) throw fail(`${key}File`, error.message);
      throw fail(
        `${key}File`,
        `${file} cannot be read: ${fileProblem(error)}; check path and permissions`,
        error,
      );
    }
  };
  const pems = { ...read('ca', caFile), ...read('cert', certFile), ...read('key', keyFile) };
  // The cause is left out: OpenSSL's error may hold parts of the key.
  if (!isSound(() => createSecureContext(pems)))
    throw fail('keyFile', `${keyFile} is damaged or does not belong to ${certFile}; give the right file`);
  return pems;
}

class PemProblem extends Error {}

function readPem(file: string, key: keyof TlsPems): string {
  const pem = readFileSync(file, 'utf8');
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/u.test(pem))
    throw new PemProblem(`${file} needs a passphrase; give a key without one, readable only by rollcall`);
  if (!PATTERNS[key].test(pem)) {
    const what = key === 'key' ? 'private key' : 'certificate (-----BEGIN CERTIFICATE-----)';
    throw new PemProblem(`${file} holds no ${what} in PEM format; give a file that does`);
  }
  if (key !== 'key' && !isSound(() => everyCertificate(pem)))
    throw new PemProblem(`${file} is damaged; give the right file`);
  return pem;
}

/** Parses every certificate of a file: TLS skips over a damaged one in silence. */
function everyCertificate(pem: string): readonly X509Certificate[] {
  const texts = pem.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/gu) ?? [];
  return texts.map((text) => new X509Certificate(text));
}

function isSound(parse: () => unknown): boolean {
  try {
    return parse() !== undefined;
  } catch {
    return false;
  }
}
