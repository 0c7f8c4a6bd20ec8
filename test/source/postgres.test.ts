import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ConfigError, SourceError } from '../../src/domain/errors.ts';
import { openSource } from '../../src/source/open-source.ts';
import { freePort } from '../servers/daemon.ts';
import { hasServer } from '../servers/install.ts';
import { startPostgres, type SqlServer } from '../servers/postgres.ts';
import { collect, each, describeSource, never, readAll } from './source-contract.ts';
import { worldSettings, worldSql } from './sql-world.ts';

const present = hasServer('postgres');

async function startWithWorld(): Promise<SqlServer> {
  const server = await startPostgres();
  for (const sql of worldSql()) await server.exec(sql);
  return server;
}

describeSource('PostgreSQL', present, async () => {
  const server = await startWithWorld();
  const query = 'select *, 1 / (700 - seq) as broken from employee';
  return {
    source: openSource(worldSettings(server.url)),
    broken: openSource(worldSettings(server.url, { query })),
    stop: async () => server.stop(),
  };
});

describe.skipIf(!present)('a PostgreSQL server', () => {
  let server: SqlServer;
  const as = (user: string): string => server.url.replace(/\/\/.*@/, `//${user}@`);
  beforeAll(async () => {
    server = await startWithWorld();
  });
  afterAll(async () => server?.stop());

  test('keeps all digits, days as days, arrays as lists, booleans as true and false', async () => {
    await server.exec('create table kinds (id bigint, day date, at timestamptz, tags int[], ok boolean)');
    await server.exec(
      "insert into kinds values (9007199254740993, '1990-05-01', '1990-05-01 02:00+02', '{7,30}', true)",
    );
    const settings = worldSettings(server.url);
    const rules = { ...settings.people.rules, id: 'id', username: 'id', active: 'ok' };
    const fields = { name: { const: 'X' }, birthday: 'day', rank: 'id', tags: 'tags', extended1: 'at' };
    const people = { query: 'select * from kinds', rules: { ...rules, fields } };
    const { people: found } = await readAll(openSource({ ...settings, people }));
    expect(found).toMatchObject([
      {
        id: '9007199254740993',
        active: true,
        fields: {
          birthday: '641520000000',
          rank: '9007199254740993',
          tags: ['7', '30'],
          extended1: '1990-05-01 00:00:00+00',
        },
      },
    ]);
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
    const url = `postgres://hr:topsecret@localhost:${await freePort()}/hr`;
    const failure = openSource(worldSettings(url)).open(never);
    await expect(failure).rejects.toThrow(/postgres:\/\/localhost:\d+\/hr: nobody listens there/);
    await expect(failure).rejects.not.toThrow(/topsecret/);
  });

  test.each([
    ['password', (url: string) => url.replace('word#1', 'wrong'), /refuses this user or password/],
    ['database', (url: string) => url.replace(/hr$/, 'nowhere'), /no such database/],
  ])('says when the %s is wrong', async (_, change, reason) => {
    await expect(openSource(worldSettings(change(server.url))).open(never)).rejects.toThrow(reason);
  });

  test.each([
    ['select nope\nfrom employee', /nope.*does not exist \(line 1, column 8\)/],
    ['update employee set seq = 1 returning *', /was not sent; make it one statement that reads/],
    ['select emp_no, full_name from employee where false', /no column LOGIN; it has: emp_no, full_name/],
  ])('the query %j fails with its reason', async (query, reason) => {
    const read = await openSource(worldSettings(server.url, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(reason);
    await read.close();
  });

  describe('by an account that may do everything', () => {
    beforeAll(async () => server.exec("create role boss superuser login password 'b'"));

    test.each([
      'drop table assignment',
      'truncate table assignment',
      "copy (select 1) to program 'touch /tmp/rollcall-was-here'",
      'set work_mem = 4096',
      'select * into mine from employee',
      'create table mine as select * from employee',
      'with gone as (delete from assignment returning *) select * from gone',
      'select 1; drop table assignment',
      '/* select */ drop table assignment',
      'explain analyze delete from assignment',
      'do $$ begin delete from assignment; end $$',
      'commit',
    ])('%s is not sent, and nothing is changed', async (query) => {
      const read = await openSource(worldSettings(as('boss:b'), { query })).open(never);
      await expect(collect(read.people())).rejects.toThrow(/was not sent; make it one statement that reads/);
      await read.close();
      expect((await readAll(openSource(worldSettings(as('boss:b'))))).people).toHaveLength(1_206);
      expect(existsSync('/tmp/rollcall-was-here')).toBe(false);
      await server.exec('select 1 from assignment limit 1');
    });

    test.each([
      'select * from employee;',
      'with e as (select * from employee) select * from e',
      '(select * from employee where seq < 600) union all (select * from employee where seq >= 600) order by seq',
      'select * from employee -- all of them',
      '/* all */ table employee',
      "select *, 'drop table x; into' as words from employee\n;\n",
    ])('%s is sent', async (query) => {
      const { people } = await readAll(openSource(worldSettings(as('boss:b'), { query })));
      expect(people).toHaveLength(1_206);
    });

    test('a syntax error is told in the words of the server, with its place', async () => {
      const read = await openSource(worldSettings(as('boss:b'), { query: 'select *\nfrm employee' })).open(
        never,
      );
      await expect(collect(read.people())).rejects.toThrow(/was not sent.*syntax error.*line 2, column 1/);
      await read.close();
    });
  });

  test('speaks TLS with a private authority, and says what is missing without it', async () => {
    const trusted = worldSettings(server.url, { tls: { caFile: server.caFile, insecure: false } });
    expect((await readAll(openSource(trusted))).units).toHaveLength(7);
    const untrusted = worldSettings(`${server.url}?sslmode=require`);
    await expect(openSource(untrusted).open(never)).rejects.toThrow(/not trusted .*source\.tls\.caFile/);
    const insecure = worldSettings(server.url, { tls: { insecure: true } });
    expect((await readAll(openSource(insecure))).units).toHaveLength(7);
    const unreadable = worldSettings(server.url, { tls: { caFile: '/nowhere/ca.pem', insecure: false } });
    await expect(openSource(unreadable).open(never)).rejects.toBeInstanceOf(ConfigError);
  });

  test('whose backend is killed in the middle rejects', async () => {
    const read = await openSource(worldSettings(server.url)).open(never);
    const all = async (): Promise<void> => {
      for await (const reading of each(read.people())) {
        if (reading.ok && reading.record.id === 'c0') {
          await server.exec(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rollcall'",
          );
        }
      }
    };
    await expect(all()).rejects.toBeInstanceOf(SourceError);
    await read.close();
  });

  test('that takes too long is given up', async () => {
    const slow = worldSettings(server.url, {
      query: 'select *, pg_sleep(5) from employee',
      timeoutSeconds: 1,
    });
    const read = await openSource(slow).open(never);
    await expect(collect(read.people())).rejects.toThrow(/source\.timeoutSeconds/);
    await read.close();
  });

  test('has its time for each answer, however long the whole takes with what is done in between', async () => {
    const many = 'select n as emp_no, n as login, n as full_name from generate_series(1, 2000) n';
    const settings = worldSettings(server.url, { timeoutSeconds: 1 });
    const rules = { id: 'emp_no', username: 'login', fields: { name: 'full_name' }, positions: [] };
    const read = await openSource({
      ...settings,
      people: { query: many, rules: { ...settings.people.rules, ...rules, active: { const: true } } },
    }).open(never);
    let people = 0;
    for await (const batch of read.people()) {
      people += [...batch].length;
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    expect(people).toBe(2_000);
    await read.close();
  });
});
