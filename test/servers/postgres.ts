import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { endingsOf, freePort, startDaemon, type Daemon } from './daemon.ts';
import { postgresFolder } from './install.ts';
import { makePrivateCa } from './private-ca.ts';
import { accountOf, type Account } from './account.ts';
import { scratchFolder } from './scratch.ts';

export interface SqlServer {
  /** With user and password, of a database named `hr`. */
  readonly url: string;
  /** Of the private authority that signed the server's certificate. */
  readonly caFile: string;
  readonly port: number;
  /** One or several statements as the administrator. */
  exec(sql: string): Promise<void>;
  /** SIGKILL, as a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const USER = 'hr';
const PASSWORD = 'hr-p@ss/word#1';

/** A real PostgreSQL server on a free loopback port, its data in a temporary folder; by default it speaks TLS. */
export async function startPostgres({ tls = true } = {}): Promise<SqlServer> {
  const account = accountOf('postgres');
  const folder = scratchFolder('postgres', account);
  const [port, ca] = [await freePort(), makePrivateCa(folder, account)];
  initialize(folder, account);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    ssl: tls ? 'on' : 'off',
    ssl_cert_file: ca.certFile,
    ssl_key_file: ca.keyFile,
  };
  const args = [
    '-D',
    join(folder, 'data'),
    ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
  ];
  const command = join(postgresFolder()!, 'postgres');
  const logFile = join(folder, 'log');
  writeFileSync(logFile, '');
  const daemon = await startDaemon({ command, args, port, logFile, account, stopSignal: 'SIGINT' });
  await createDatabase(port);
  return server(port, { folder, caFile: ca.caFile, daemon });
}

function server(
  port: number,
  { folder, caFile, daemon }: { readonly folder: string; readonly caFile: string; readonly daemon: Daemon },
): SqlServer {
  return {
    url: `postgres://${USER}:${PASSWORD}@localhost:${port}/hr`,
    caFile,
    port,
    exec: async (sql) => execute({ port, database: 'hr' }, sql),
    ...endingsOf(() => daemon, folder),
  };
}

function initialize(folder: string, account: Account | null): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const args = ['-D', join(folder, 'data'), '-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const more = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(postgresFolder()!, 'initdb'), [...args, ...more], {
    stdio: 'pipe',
    cwd: folder,
    ...account,
  });
}

/** The port answers before the server takes connections: 57P03, the database system is starting up. */
async function createDatabase(port: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    try {
      return await execute({ port, database: 'postgres' }, 'CREATE DATABASE hr');
    } catch (error) {
      if ((error as { code?: string }).code !== '57P03' || Date.now() > deadline) throw error;
    }
  }
}

async function execute(to: { readonly port: number; readonly database: string }, sql: string): Promise<void> {
  const client = new Client({ host: '127.0.0.1', ...to, user: USER, password: PASSWORD });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
