import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { createConnection } from 'mysql2/promise';

import { endingsOf, freePort, startDaemon } from './daemon.ts';
import type { SqlServer } from './postgres.ts';
import { makePrivateCa } from './private-ca.ts';
import { accountOf } from './account.ts';
import { scratchFolder } from './scratch.ts';

const USER = 'hr';
const PASSWORD = 'hr-p@ss/word#1';

/** A real MariaDB server on a free loopback port, its data in a temporary folder; by default it speaks TLS. */
export async function startMariadb({ tls: secure = true } = {}): Promise<SqlServer> {
  const account = accountOf('mysql');
  const folder = scratchFolder('mariadb', account);
  const [port, ca] = [await freePort(), makePrivateCa(folder, account)];
  const data = join(folder, 'data');
  const socket = join(folder, 'sock');
  const install = [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  // Temporary tables are named by the process: two servers in containers or namespaces may have the same number.
  const env = { ...process.env, TMPDIR: folder };
  execFileSync('mariadb-install-db', install, { stdio: 'pipe', cwd: folder, env, ...account });
  const network = [`--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1'];
  const tls = [`--ssl-cert=${ca.certFile}`, `--ssl-key=${ca.keyFile}`, `--ssl-ca=${ca.caFile}`];
  const small = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=64M', '--skip-log-bin'];
  const names = ['--character-set-server=utf8mb4', `--pid-file=${folder}/pid`, `--tmpdir=${folder}`];
  const args = ['--no-defaults', `--datadir=${data}`, ...network, ...(secure ? tls : []), ...small, ...names];
  const daemon = await startDaemon({
    command: '/usr/sbin/mariadbd',
    args,
    port,
    socket,
    logFile: join(folder, 'log'),
    account,
  });
  await execute(socket, `CREATE DATABASE hr; CREATE USER ${USER}@'%' IDENTIFIED BY '${PASSWORD}'`);
  await execute(socket, `GRANT SELECT, EXECUTE ON hr.* TO ${USER}@'%'`);
  return {
    url: `mariadb://${USER}:${PASSWORD}@localhost:${port}/hr`,
    caFile: ca.caFile,
    port,
    exec: async (sql) => execute(socket, `USE hr; ${sql}`),
    ...endingsOf(() => daemon, folder),
  };
}

async function execute(socketPath: string, sql: string): Promise<void> {
  const connection = await createConnection({ socketPath, user: 'root', multipleStatements: true });
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}
