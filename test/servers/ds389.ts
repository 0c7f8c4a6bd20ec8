import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { endingsOf, freePort, ldapmodify, startDaemon } from './daemon.ts';
import { scratchFolder } from './scratch.ts';

export interface Ds389 {
  readonly url: string;
  readonly suffix: string;
  readonly bindDn: string;
  readonly password: string;
  /** `ldapmodify` as the directory's manager; `changetype:` records. */
  modify(ldif: string): void;
  stop(): Promise<void>;
}

const SUFFIX = 'dc=example,dc=com';
const ADMIN = 'cn=Directory Manager';
const PASSWORD = 'admin-secret';
const SHARED = '/usr/share/dirsrv/data';
const FOLDERS = ['conf', 'conf/schema', 'db', 'lock', 'tmp', 'ldif', 'bak', 'run', 'log', 'inst'];

/**
 * A real 389 Directory Server on a free loopback port, its data in a temporary folder. Its own installer wants
 * systemd, so that its template is filled in here.
 */
export async function startDs389(): Promise<Ds389> {
  const folder = scratchFolder('ds389');
  const at = (name: string): string => join(folder, name);
  const port = await freePort();
  for (const name of FOLDERS) mkdirSync(at(name));
  copyFileSync('/etc/dirsrv/schema/99user.ldif', at('conf/schema/99user.ldif'));
  for (const name of ['certmap.conf', 'slapd-collations.conf'])
    copyFileSync(`/etc/dirsrv/config/${name}`, at(`conf/${name}`));
  writeFileSync(at('conf/dse.ldif'), filledTemplate(folder, port));
  const daemon = await startDaemon({
    command: '/usr/sbin/ns-slapd',
    args: ['-D', at('conf'), '-i', at('run/pid'), '-d', '0'],
    port,
    logFile: at('out'),
    account: null,
  });
  const root = { url: `ldap://127.0.0.1:${port}`, bindDn: ADMIN, password: PASSWORD };
  const modify = (ldif: string): void => ldapmodify(root, ldif);
  modify(BACKEND);
  return {
    url: `ldap://localhost:${port}`,
    suffix: SUFFIX,
    bindDn: ADMIN,
    password: PASSWORD,
    modify,
    ...endingsOf(() => daemon, folder),
  };
}

function filledTemplate(folder: string, port: number): string {
  const hash = execFileSync('pwdhash', ['-s', 'PBKDF2-SHA512', PASSWORD], { encoding: 'utf8' }).trim();
  const values: Readonly<Record<string, string>> = {
    schema_dir: join(folder, 'conf/schema'),
    cert_dir: join(folder, 'conf'),
    config_dir: join(folder, 'conf'),
    db_home_dir: join(folder, 'db'),
    fqdn: 'localhost',
    ds_port: String(port),
    ds_user: process.getuid?.() === 0 ? 'root' : (process.env['USER'] ?? ''),
    rootdn: ADMIN,
    ds_passwd: hash,
    ds_suffix: SUFFIX,
    ldapi_enabled: 'off',
    ldapi_autobind: 'off',
    ldapi: join(folder, 'run/ldapi'),
    db_lib: 'mdb',
  };
  const template = readFileSync(`${SHARED}/template-dse.ldif`, 'utf8');
  return template.replaceAll(/%([a-z_]+)%/gu, (_, name: string) => {
    return values[name] ?? join(folder, name.replace(/_dir$/u, ''));
  });
}

const BACKEND = `dn: cn=userroot,cn=ldbm database,cn=plugins,cn=config
changetype: add
objectClass: extensibleObject
objectClass: nsBackendInstance
cn: userroot
nsslapd-suffix: ${SUFFIX}

dn: cn="${SUFFIX}",cn=mapping tree,cn=config
changetype: add
objectClass: extensibleObject
objectClass: nsMappingTree
cn: ${SUFFIX}
nsslapd-state: backend
nsslapd-backend: userroot

dn: ${SUFFIX}
changetype: add
objectClass: domain
dc: example

`;
