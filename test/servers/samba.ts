import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { endingsOf, ldapmodify, startDaemon } from './daemon.ts';
import { makePrivateCa } from './private-ca.ts';
import { scratchFolder } from './scratch.ts';

export interface Samba {
  /** `ldap://127.x.y.z`, which also takes StartTLS; Samba's ports cannot be chosen, so its address is. */
  readonly url: string;
  readonly ldapsUrl: string;
  /** Global catalog, in clear. */
  readonly catalogUrl: string;
  /** Of the private authority that signed the server's certificate. */
  readonly caFile: string;
  readonly suffix: string;
  readonly bindDn: string;
  readonly password: string;
  /** `ldapmodify` as the domain's administrator; `changetype:` records. */
  modify(ldif: string): void;
  /** `samba-tool`, on the files of the domain controller. */
  tool(...args: readonly string[]): void;
  stop(): Promise<void>;
}

const SUFFIX = 'DC=corp,DC=example,DC=com';
const ADMIN = 'Administrator@corp.example.com';
const PASSWORD = 'Passw0rd!of-the-tests';

/** A real Samba AD domain controller on a loopback address of its own, its data in a temporary folder. */
export async function startSamba(): Promise<Samba> {
  const folder = scratchFolder('samba');
  const address = await freeAddress();
  const ca = makePrivateCa(folder, null, address);
  provision(folder, address);
  const configFile = join(folder, 'dc/etc/smb.conf');
  const options = {
    'server services': 'ldap',
    'ldap server require strong auth': 'no',
    'log file': join(folder, 'log.%m'),
    'pid directory': folder,
    'ncalrpc dir': join(folder, 'ncalrpc'),
    'tls cafile': ca.caFile,
    'tls certfile': ca.certFile,
    'tls keyfile': ca.keyFile,
  };
  const args = ['-F', '-M', 'single', '--no-process-group', '-s', configFile];
  const daemon = await startDaemon({
    command: '/usr/sbin/samba',
    args: [...args, ...optionsOf(options)],
    port: 389,
    host: address,
    logFile: join(folder, 'log'),
    account: null,
  });
  return {
    url: `ldap://${address}`,
    ldapsUrl: `ldaps://${address}`,
    catalogUrl: `ldap://${address}:3268`,
    caFile: ca.caFile,
    suffix: SUFFIX,
    bindDn: ADMIN,
    password: PASSWORD,
    modify: (ldif) => ldapmodify({ url: `ldap://${address}`, bindDn: ADMIN, password: PASSWORD }, ldif),
    tool: (...toolArgs) => void execFileSync('samba-tool', [...toolArgs, '-s', configFile]),
    ...endingsOf(() => daemon, folder),
  };
}

function provision(folder: string, address: string): void {
  const domain = ['--realm=CORP.EXAMPLE.COM', '--domain=CORP', `--adminpass=${PASSWORD}`];
  const place = ['--server-role=dc', '--dns-backend=NONE', `--targetdir=${join(folder, 'dc')}`];
  const options = optionsOf({
    interfaces: `${address}/8`,
    'bind interfaces only': 'yes',
    'vfs objects': 'dfs_samba4, acl_xattr',
  });
  execFileSync('samba-tool', ['domain', 'provision', ...domain, ...place, ...options], { stdio: 'pipe' });
}

function optionsOf(options: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(options).map(([name, value]) => `--option=${name}=${value}`);
}

const randomPart = (): number => 1 + Math.floor(Math.random() * 250);

/** A loopback address on which nobody listens at the port of LDAP. */
async function freeAddress(): Promise<string> {
  for (;;) {
    const address = `127.${randomPart()}.${randomPart()}.${randomPart()}`;
    const server = createServer().listen(389, address);
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    server.close();
    if (isFree) return address;
  }
}
