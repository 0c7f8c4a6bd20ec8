import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Account } from './account.ts';

export interface PrivateCa {
  /** The authority's certificate, which no system trusts. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * A private authority and its certificate for `localhost`, 127.0.0.1 and one more address, made by openssl in
 * `folder`.
 */
export function makePrivateCa(
  folder: string,
  account: Account | null = null,
  address = '127.0.0.1',
): PrivateCa {
  const at = (name: string): string => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const caArgs = [
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=rollcall test CA',
    '-days',
    '30',
  ];
  openssl('req', '-x509', ...key, ...caArgs);
  openssl('req', ...key, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=localhost');
  writeFileSync(at('san.cnf'), `subjectAltName=DNS:localhost,IP:127.0.0.1,IP:${address}\n`);
  const authority = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
  const result = ['-out', at('server.pem'), '-days', '30', '-extfile', at('san.cnf')];
  openssl('x509', '-req', '-in', at('server.csr'), ...authority, ...result);
  chmodSync(at('server.key'), 0o600);
  if (account !== null) chownSync(at('server.key'), account.uid, account.gid);
  return { caFile: at('ca.pem'), certFile: at('server.pem'), keyFile: at('server.key') };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

/** A certificate for a client, signed by the authority in `folder`, and its key. */
export function makeClientCertificate(folder: string, name: string): Omit<PrivateCa, 'caFile'> {
  const at = (file: string): string => join(folder, file);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    ...key,
    '-keyout',
    at(`${name}.key`),
    '-out',
    at(`${name}.csr`),
    '-subj',
    `/O=Example/CN=${name}`,
  );
  const authority = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
  openssl('x509', '-req', '-in', at(`${name}.csr`), ...authority, '-out', at(`${name}.pem`), '-days', '30');
  return { certFile: at(`${name}.pem`), keyFile: at(`${name}.key`) };
}
