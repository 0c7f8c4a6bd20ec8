import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../../src/domain/errors.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { hasServer } from '../../servers/install.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { collect, never } from '../source-contract.ts';
import { worldSettings, worldSql } from '../sql-world.ts';

const present = hasServer('postgres') && hasServer('mariadb');

async function open(url: string): Promise<void> {
  const read = await openSource(worldSettings(url, { timeoutSeconds: 3 })).open(never);
  await read.close();
}

async function people(url: string, query: string): Promise<void> {
  const read = await openSource(worldSettings(url, { query })).open(never);
  try {
    await collect(read.people());
  } finally {
    await read.close();
  }
}

function swapped(url: string, port: number): string {
  return url.replace(/:\d+\/hr$/u, `:${port}/hr`);
}

describe.skipIf(!present)(
  'what a database refuses is told with the database, what is wrong, and the remedy',
  () => {
    let postgres: SqlServer;
    let mariadb: SqlServer;
    beforeAll(async () => {
      [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()]);
      for (const sql of worldSql()) await postgres.exec(sql);
      for (const sql of worldSql()) await mariadb.exec(sql.replaceAll('\\', '\\\\'));
    });
    afterAll(async () => {
      await postgres?.stop();
      await mariadb?.stop();
    });

    test('a port where another database listens', async () => {
      const wrongPostgres = open(swapped(postgres.url, mariadb.port));
      await expect(wrongPostgres).rejects.toBeInstanceOf(SourceError);
      await expect(wrongPostgres).rejects.toThrow(/postgres:\/\/localhost:\d+\/hr: /u);
      const wrongMariadb = open(swapped(mariadb.url, postgres.port));
      await expect(wrongMariadb).rejects.toBeInstanceOf(SourceError);
      await expect(wrongMariadb).rejects.toThrow(/mariadb:\/\/localhost:\d+\/hr: /u);
    });

    test.each(['postgres', 'mysql', 'sqlserver', 'oracle'])(
      '%s: a port that answers nothing of it',
      async (scheme) => {
        const sockets = new Set<Socket>();
        const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(
          0,
        );
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const failure = open(`${scheme}://hr:topsecret@127.0.0.1:${port}/hr`);
        await expect(failure).rejects.toThrow(
          /127\.0\.0\.1:\d+\/hr: .*(?:in time|timeoutSeconds|timed out)/u,
        );
        await expect(failure).rejects.not.toThrow(/topsecret/u);
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    );

    test('two columns of one name, and one that is not there', async () => {
      for (const { url } of [postgres, mariadb]) {
        const twice = people(url, 'select employee.*, emp_no as emp_no from employee');
        await expect(twice).rejects.toThrow(/people\.fields\.id.*several columns emp_no; name one with AS/u);
        await expect(people(url, 'select emp_no, login from employee')).rejects.toThrow(/no column status/u);
        await expect(people(url, 'select * from nowhere')).rejects.toThrow(
          /query "select \* from nowhere".*nowhere/u,
        );
      }
    });
  },
);
