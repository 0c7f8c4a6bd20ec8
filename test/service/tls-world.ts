import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A private authority in a folder, which signs certificates. */
export interface Authority {
  readonly caFile: string;
  /** Makes a key and a certificate with these alternative names, such as `DNS:localhost,IP:127.0.0.1`. */
  issue(name: string, alternatives: string): Certificate;
}

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const;

export function authority(folder: string, name = 'ca'): Authority {
  const at = (file: string): string => path.join(folder, file);
  const [caFile, caKey] = [at(`${name}.pem`), at(`${name}.key`)];
  openssl('req', '-x509', ...KEY, '-keyout', caKey, '-out', caFile, '-subj', `/CN=${name}`, '-days', '30');
  const issue = (leaf: string, alternatives: string): Certificate => {
    const [certFile, keyFile] = [at(`${leaf}.pem`), at(`${leaf}.key`)];
    openssl('req', ...KEY, '-keyout', keyFile, '-out', at('csr'), '-subj', `/CN=${leaf}`);
    writeFileSync(at('san'), `subjectAltName=${alternatives}\n`);
    const signer = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '30', '-extfile', at('san')];
    openssl('x509', '-req', '-in', at('csr'), '-out', certFile, ...signer);
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  };
  return { caFile, issue };
}

export function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
