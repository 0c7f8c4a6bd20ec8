import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { endingsOf, freePort, ldapmodify, startDaemon, type Daemon } from './daemon.ts';
import { toLdif } from './ldif.ts';
import { makePrivateCa } from './private-ca.ts';
import { scratchFolder } from './scratch.ts';

export interface SlapdOptions {
  /** LDIF loaded before the start; the suffix and the reader are there already. */
  readonly ldif?: string;
  /** slapd.conf(5) `limits` of the reader, e.g. `size.prtotal=50`; default: none. */
  readonly limits?: string;
  /** More lines of the database's part of slapd.conf, e.g. `overlay` ones. */
  readonly config?: string;
  /** More lines before the database's part. */
  readonly head?: string;
  /** Port that was free a moment ago; default: any. */
  readonly port?: number;
  /** Who may read, as slapd.access(5) names them; default: everybody who is bound. */
  readonly readers?: string;
  /** Lines of slapd.access(5) before those of `readers`. */
  readonly access?: string;
  /** Its root entry does not say where the schema is, and nobody may read it. */
  readonly hidesSchema?: true;
}

export interface Slapd {
  /** `ldap://localhost:PORT`, which also takes StartTLS. */
  readonly url: string;
  readonly ldapsUrl: string;
  /** As `url`, by an address that is taken for another machine. */
  readonly farUrl: string;
  /** Of the private authority that signed the server's certificate. */
  readonly caFile: string;
  readonly suffix: string;
  /** A reader that the limits hold for. */
  readonly bindDn: string;
  readonly password: string;
  readonly port: number;
  /** Adds entries by slapadd (100,000 in seconds): the server stops and starts again on the same ports. */
  load(ldif: string): Promise<void>;
  /** As `load`, for a file of any length. */
  loadFile(file: string): Promise<void>;
  /** `ldapmodify` as the directory's administrator; `changetype:` records; referrals are entries here. */
  modify(ldif: string): void;
  /** Keeps all data as they are; what is returned puts them back, as from a backup. */
  backup(): Promise<() => Promise<void>>;
  /** Drops all connections, as a crash does; `load('')` brings the server back. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const SUFFIX = 'dc=example,dc=com';
/** This machine under an address that is not taken for it. */
const ELSEWHERE = '0.0.0.0';
const READER = `cn=reader,${SUFFIX}`;
const ROOT = { bindDn: `cn=admin,${SUFFIX}`, password: 'admin-secret' };
const PASSWORD = 'reader-secret';

/** A real OpenLDAP server on free loopback ports, its data in a temporary folder. */
export async function startSlapd(options: SlapdOptions = {}): Promise<Slapd> {
  const folder = scratchFolder('slapd');
  const ca = makePrivateCa(folder, null, ELSEWHERE);
  const [port, securePort] = [options.port ?? (await freePort()), await freePort()];
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder, options));
  slapadd(folder, baseEntries() + (options.ldif ?? ''));
  const url = `ldap://127.0.0.1:${port}`;
  const args = ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', `${url} ldaps://127.0.0.1:${securePort}`];
  const start = async (): Promise<Daemon> =>
    startDaemon({ command: '/usr/sbin/slapd', args, port, logFile: join(folder, 'log'), account: null });
  let daemon = await start();
  return {
    url: `ldap://localhost:${port}`,
    ldapsUrl: `ldaps://localhost:${securePort}`,
    farUrl: `ldap://${ELSEWHERE}:${port}`,
    caFile: ca.caFile,
    suffix: SUFFIX,
    bindDn: READER,
    password: PASSWORD,
    port,
    async load(ldif) {
      await daemon.stop();
      if (ldif !== '') slapadd(folder, ldif);
      daemon = await start();
    },
    async loadFile(file) {
      await daemon.stop();
      slapaddFile(folder, file);
      daemon = await start();
    },
    // Referrals are entries here.
    modify: (ldif) => ldapmodify({ url, ...ROOT }, ldif, { args: ['-M'] }),
    async backup() {
      const [data, copy] = [join(folder, 'data'), join(folder, 'backup')];
      // The file of the database is 4 GB of holes.
      const put = (from: string, to: string): unknown =>
        execFileSync('cp', ['--recursive', '--sparse=always', from, to]);
      await daemon.stop();
      put(data, copy);
      daemon = await start();
      return async () => {
        await daemon.stop();
        rmSync(data, { recursive: true });
        put(copy, data);
        daemon = await start();
      };
    },
    ...endingsOf(() => daemon, folder),
  };
}

function configuration(folder: string, options: SlapdOptions): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map(
    (name) => `include /etc/ldap/schema/${name}.schema`,
  );
  return [
    ...schemas,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    `pidfile ${folder}/pid`,
    `argsfile ${folder}/args`,
    'sizelimit unlimited',
    ...(options.hidesSchema === true ? ['access to dn.base="cn=Subschema" by * none'] : []),
    `TLSCACertificateFile ${folder}/ca.pem`,
    `TLSCertificateFile ${folder}/server.pem`,
    `TLSCertificateKeyFile ${folder}/server.key`,
    options.head ?? '',
    'database mdb',
    'maxsize 4294967296',
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT.bindDn}"`,
    `rootpw ${ROOT.password}`,
    `directory ${folder}/data`,
    'dbnosync',
    'index objectClass eq',
    `limits dn.exact="${READER}" ${options.limits ?? 'size=unlimited time=unlimited'}`,
    'access to attrs=userPassword by anonymous auth by * none',
    options.access ?? '',
    `access to * by ${options.readers ?? 'users'} read by * none`,
    options.config ?? '',
    '',
  ].join('\n');
}

function baseEntries(): string {
  return toLdif([
    [SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }],
    [
      READER,
      { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader', userPassword: PASSWORD },
    ],
  ]);
}

function slapadd(folder: string, ldif: string): void {
  const file = join(folder, 'load.ldif');
  writeFileSync(file, ldif);
  slapaddFile(folder, file);
}

function slapaddFile(folder: string, file: string): void {
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', join(folder, 'slapd.conf'), '-l', file], { stdio: 'pipe' });
}
