import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../src/domain/errors.ts';
import { openSource } from '../../src/source/open-source.ts';
import { freePort } from '../servers/daemon.ts';
import { hasServer } from '../servers/install.ts';
import { startMariadb } from '../servers/mariadb.ts';
import type { SqlServer } from '../servers/postgres.ts';
import { collect, each, describeSource, never, readAll } from './source-contract.ts';
import { worldSettings, worldSql } from './sql-world.ts';

const present = hasServer('mariadb');

async function startWithWorld(): Promise<SqlServer> {
  const server = await startMariadb();
  for (const sql of worldSql()) await server.exec(sql.replaceAll('\\', '\\\\'));
  return server;
}

describeSource('MariaDB', present, async () => {
  const server = await startWithWorld();
  const query =
    'select *, (select 1 from (select 1 union select 2) t where seq = 700) as broken from employee';
  return {
    source: openSource(worldSettings(server.url)),
    broken: openSource(worldSettings(server.url, { query })),
    stop: async () => server.stop(),
  };
});

describe.skipIf(!present)('a MariaDB server', () => {
  let server: SqlServer;
  beforeAll(async () => {
    server = await startWithWorld();
  });
  afterAll(async () => server?.stop());

  test('keeps all digits and days as days; a zero date is absent', async () => {
    await server.exec(
      'create table kinds (id bigint, day date, none date, flag bit(1), price decimal(20,2))',
    );
    await server.exec(
      "set sql_mode = ''; insert into kinds values (9007199254740993, '1990-05-01', '0000-00-00', 1, 5)",
    );
    const settings = worldSettings(server.url);
    const rules = { ...settings.people.rules, id: 'id', username: 'id', active: 'flag' };
    const fields = { name: { const: 'X' }, birthday: 'day', extended1: 'none', rank: 'price' };
    const people = { query: 'select * from kinds', rules: { ...rules, fields } };
    const { people: found } = await readAll(openSource({ ...settings, people }));
    const values = { birthday: '641520000000', extended1: null, rank: '5' };
    expect(found).toMatchObject([{ id: '9007199254740993', active: true, fields: values }]);
  });

  test('is read to its end, whatever row limit the server is set to', async () => {
    await server.exec('set global sql_select_limit = 25');
    try {
      const { people } = await readAll(openSource(worldSettings(server.url)));
      expect(people).toHaveLength(1_206);
    } finally {
      await server.exec('set global sql_select_limit = default');
    }
  });

  test('that stopped looking for rows has not been read to its end', async () => {
    const query = 'select * from employee limit rows examined 600';
    const read = await openSource(worldSettings(server.url, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(
      /not all rows were found: the read is incomplete .*query/,
    );
    expect(read.evidence().parts).toMatchObject([{ end: 'not ended' }]);
    await read.close();
  });

  test('is read in one state, whatever is written meanwhile', async () => {
    const read = await openSource(worldSettings(server.url)).open(never);
    const units = await collect(read.units());
    await server.exec("insert into employee (emp_no, login, full_name) values ('late', 'late', 'Late')");
    const people = await collect(read.people());
    await read.close();
    await server.exec("delete from employee where emp_no = 'late'");
    expect([units.length, people.length]).toEqual([7, 1_208]);
  });

  test('that is down is named with host and port, without password', async () => {
    const url = `mysql://hr:topsecret@localhost:${await freePort()}/hr`;
    const failure = openSource(worldSettings(url)).open(never);
    await expect(failure).rejects.toThrow(/mysql:\/\/localhost:\d+\/hr: nobody listens there/);
    await expect(failure).rejects.not.toThrow(/topsecret/);
  });

  test.each([
    ['password', (url: string) => url.replace('word#1', 'wrong'), /refuses this user or password/],
    [
      'database',
      (url: string) => url.replace(/hr$/, 'nowhere'),
      /may not use this database|no such database/,
    ],
  ])('says when the %s is wrong', async (_, change, reason) => {
    await expect(openSource(worldSettings(change(server.url))).open(never)).rejects.toThrow(reason);
  });

  test.each([
    ['select nope from employee', /nope/],
    ['update employee set seq = 1', /was not sent; make it one statement that reads/],
    ['select emp_no, full_name from employee where false', /no column LOGIN; it has: emp_no, full_name/],
  ])('the query %j fails with its reason', async (query, reason) => {
    const read = await openSource(worldSettings(server.url, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(reason);
    await read.close();
  });

  describe('by an account that may do everything', () => {
    let all: string;
    beforeAll(async () => {
      await server.exec("grant all on *.* to boss@'%' identified by 'b'");
      all = `mysql://boss:b@localhost:${server.port}/hr`;
    });

    test.each([
      'drop table assignment',
      'truncate table assignment',
      'create table mine (id int)',
      'set global max_connections = 99',
      'select * from employee into outfile "rollcall.txt"',
      'select login from employee limit 1 into @who',
      'delete from assignment',
      'insert into assignment select * from assignment',
      'call nothing()',
      'start transaction',
      'select 1; drop table assignment',
      'select 1 ) as a; drop table assignment; select 1 from (select 1',
      '/* select */ drop table assignment',
    ])('%s is not sent, and nothing is changed', async (query) => {
      const read = await openSource(worldSettings(all, { query })).open(never);
      await expect(collect(read.people())).rejects.toThrow(/was not sent; make it one statement that reads/);
      await read.close();
      expect((await readAll(openSource(worldSettings(all)))).people).toHaveLength(1_206);
      await server.exec('select 1 from assignment limit 1');
    });

    test.each([
      'select * from employee;',
      'with e as (select * from employee) select * from e',
      '(select * from employee where seq < 600) union all (select * from employee where seq >= 600) order by seq',
      'select * from employee -- all of them',
      '/* all */ select e.*, d.id, d.id from employee e left join department d on false # of them',
      'select sql_no_cache * from employee',
      "select *, 'drop table x; into outfile' as words from employee\n;\n",
    ])('%s is sent', async (query) => {
      const { people } = await readAll(openSource(worldSettings(all, { query })));
      expect(people).toHaveLength(1_206);
    });

    test('a syntax error is told in the words of the server', async () => {
      const read = await openSource(worldSettings(all, { query: 'selct * from employee' })).open(never);
      await expect(collect(read.people())).rejects.toThrow(
        /was not sent.*You have an error in your SQL syntax/,
      );
      await read.close();
    });
  });

  test('speaks TLS with a private authority, and says what is missing without it', async () => {
    const trusted = worldSettings(server.url, { tls: { caFile: server.caFile, insecure: false } });
    expect((await readAll(openSource(trusted))).units).toHaveLength(7);
    const untrusted = worldSettings(`${server.url}?ssl-mode=REQUIRED`);
    await expect(openSource(untrusted).open(never)).rejects.toThrow(/not trusted .*source\.tls\.caFile/);
    const insecure = worldSettings(server.url, { tls: { insecure: true } });
    expect((await readAll(openSource(insecure))).units).toHaveLength(7);
  });

  test('whose connection is killed in the middle rejects and does not hang', async () => {
    const query = "select e.*, repeat('x', 2000) as filler from employee e join seq_1_to_40";
    const read = await openSource(worldSettings(server.url, { query })).open(never);
    let killed = false;
    const all = async (): Promise<void> => {
      for await (const _ of each(read.people())) {
        if (killed) continue;
        killed = true;
        await server.exec('kill user hr');
      }
    };
    await expect(all()).rejects.toBeInstanceOf(SourceError);
    await read.close();
  });

  test('that takes too long is given up', async () => {
    const slow = worldSettings(server.url, { query: 'select *, sleep(5) from employee', timeoutSeconds: 1 });
    const read = await openSource(slow).open(never);
    await expect(collect(read.people())).rejects.toThrow(/source\.timeoutSeconds/);
    await read.close();
  });
});
