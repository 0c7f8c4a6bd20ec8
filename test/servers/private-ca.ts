import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Account } from './account.ts';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A private authority in a folder, which signs certificates. */
export interface Authority {
  readonly caFile: string;
  /** Makes a key and a certificate with these alternative names, such as `DNS:localhost,IP:127.0.0.1`. */
  issue(name: string, alternatives: string): Certificate;
}

export interface PrivateCa {
  /** The authority's certificate, which no system trusts. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const;

export function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

export function authority(folder: string, name = 'ca'): Authority {
  const [caFile, caKey] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  openssl('req', '-x509', ...KEY, '-keyout', caKey, '-out', caFile, '-subj', `/CN=${name}`, '-days', '30');
  return { caFile, issue: (leaf, alternatives) => issued(folder, leaf, { authority: name, alternatives }) };
}

function issued(
  folder: string,
  name: string,
  {
    authority: signer = 'ca',
    subject = `/CN=${name}`,
    alternatives = '',
  }: { readonly authority?: string; readonly subject?: string; readonly alternatives?: string },
): Certificate {
  const at = (file: string): string => join(folder, file);
  const [certFile, keyFile] = [at(`${name}.pem`), at(`${name}.key`)];
  openssl('req', ...KEY, '-keyout', keyFile, '-out', at('csr'), '-subj', subject);
  writeFileSync(at('extensions'), alternatives === '' ? '' : `subjectAltName=${alternatives}\n`);
  const by = ['-CA', at(`${signer}.pem`), '-CAkey', at(`${signer}.key`), '-CAcreateserial'];
  const more = ['-days', '30', '-extfile', at('extensions')];
  openssl('x509', '-req', '-in', at('csr'), '-out', certFile, ...by, ...more);
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

/** A private authority and its certificate for `localhost`, 127.0.0.1 and one more address. */
export function makePrivateCa(
  folder: string,
  account: Account | null = null,
  address = '127.0.0.1',
): PrivateCa {
  const signer = authority(folder);
  const { certFile, keyFile } = signer.issue('server', `DNS:localhost,IP:127.0.0.1,IP:${address}`);
  chmodSync(keyFile, 0o600);
  if (account !== null) chownSync(keyFile, account.uid, account.gid);
  return { caFile: signer.caFile, certFile, keyFile };
}

/** A certificate for a client, signed by the authority in `folder`, and its key. */
export function makeClientCertificate(
  folder: string,
  name: string,
): Pick<Certificate, 'certFile' | 'keyFile'> {
  const { certFile, keyFile } = issued(folder, name, { subject: `/O=Example/CN=${name}` });
  return { certFile, keyFile };
}
