import { describe, expect, test } from 'vitest';

import { ConfigError } from '../../../src/domain/errors.ts';
import type { SqlSettings } from '../../../src/domain/source-settings.ts';
import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { parseDatabaseUrl } from '../../../src/source/sql/database-url.ts';
import { loadDriver } from '../../../src/source/sql/optional-engines.ts';
import { SqlServerConnection } from '../../../src/source/sql/sqlserver/sqlserver-connection.ts';
import {
  SQL_SERVER,
  sqlServerOptions,
  sqlServerProblem,
} from '../../../src/source/sql/sqlserver/sqlserver-driver.ts';
import { sqlError } from '../../../src/source/sql/sql-error.ts';
import { freePort } from '../../servers/daemon.ts';
import { makePrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { sqlSource } from '../open-one.ts';
import { collect, describeSource, never, readAll } from '../source-contract.ts';
import { worldSettings } from '../sql-world.ts';
import { answersOfTheWorld, brokenAfter } from './fake-answers.ts';
import { fakeSqlServer, type FakeSqlServer } from './fake-sqlserver.ts';

const URL = 'sqlserver://hr:topsecret@db/hr';

function over(fake: FakeSqlServer, settings: SqlSettings = worldSettings(URL)): Source {
  return sqlSource(settings, async (signal) =>
    SqlServerConnection.open(settings, signal, async () => fake.driver),
  );
}

function optionsOf(url: string): ReturnType<typeof sqlServerOptions> {
  return sqlServerOptions(parseDatabaseUrl(url), worldSettings(url));
}

const world = answersOfTheWorld('nvarchar');

describeSource('SQL Server, by the contract of its driver,', true, async () => ({
  source: over(fakeSqlServer(world)),
  broken: over(
    fakeSqlServer((sql) => {
      const { columns, rows } = world(sql);
      return { columns, rows: brokenAfter(rows, 700, new Error('Divide by zero error encountered.')) };
    }),
  ),
  stop: async () => undefined,
}));

const real = process.env['ROLLCALL_TEST_SQLSERVER_URL'] ?? '';
if (real !== '') {
  // The world is in this database already: the statements of worldSql().
  describeSource('a real SQL Server', true, async () => ({
    source: openSource(worldSettings(real)),
    broken: openSource(worldSettings(real, { query: 'select *, 1 / (700 - seq) as broken from employee' })),
    stop: async () => undefined,
  }));
}

describe('SQL Server', () => {
  test('is read in one snapshot that is rolled back, with the driver told all that it needs', async () => {
    const fake = fakeSqlServer(world);
    const { evidence } = await readAll(over(fake));
    expect(evidence).toMatchObject({ type: 'sqlserver', snapshot: 'SNAPSHOT transaction, rolled back' });
    expect(evidence.warnings ?? []).toEqual([]);
    expect([fake.isolation, fake.rolledBack]).toEqual([[5], 1]);
    expect(fake.options).toMatchObject([
      {
        server: 'db',
        port: 1433,
        user: 'hr',
        password: 'topsecret',
        database: 'hr',
        connectionTimeout: 20_000,
        pool: { max: 1 },
        options: { encrypt: true, trustServerCertificate: false, useUTC: true },
      },
    ]);
  });

  test('that allows no snapshot is read all the same, and says what its administrator can do', async () => {
    const fake = fakeSqlServer(world, { snapshot: false });
    const { evidence } = await readAll(over(fake));
    expect(fake.isolation).toEqual([2]);
    expect(evidence.snapshot).toBe('READ COMMITTED transaction, each query in one state, rolled back');
    expect(evidence.warnings).toEqual([
      expect.stringMatching(/sqlserver:\/\/db:1433\/hr: .*ALLOW_SNAPSHOT_ISOLATION ON/u),
    ]);
  });

  test('does not hold the rows of a table: the driver waits while nobody takes them', async () => {
    let made = 0;
    const rows = function* (): Iterable<readonly unknown[]> {
      for (; made < 100_000; made += 1) yield [`p${made}`, `p${made}`, 'X', null, 'active', null, null];
    };
    const columns = ['emp_no', 'login', 'full_name', 'email', 'status', 'born', 'sort_no'];
    const fake = fakeSqlServer(() => ({
      columns: columns.map((name) => ({ name, type: 'nvarchar' })),
      rows: rows(),
    }));
    const read = await over(fake).open(never);
    for await (const _ of read.people()) break;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(5_000);
    await read.close();
  });

  test.each([
    ['delete from employee', 'it begins with another word'],
    ["/* select */ sp_rename 'a', 'b'", 'it begins with another word'],
    ['select 1; drop table employee', 'there is a ; within it'],
    ['select 1 drop table employee', 'the word DROP'],
    ['select * into mine from employee', 'the word INTO'],
    ['with gone as (select * from employee) delete from gone', 'the word DELETE'],
    ["select 'it''s' -- quiet\n update employee set seq = 1", 'the word UPDATE'],
    ['select 1 commit', 'the word COMMIT'],
    ["select * from openrowset('x', 'y', 'drop')", 'the word OPENROWSET'],
    ['select [a]]b] drop table x', 'the word DROP'],
    ['', 'it begins with another word'],
    ["select 'drop' from employee", 'the word DROP, also in a text, a name or a comment'],
  ])('%j is not sent', async (query, reason) => {
    const fake = fakeSqlServer(world);
    const read = await over(fake, worldSettings(URL, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(reason);
    await read.close();
    expect(fake.sent).toEqual([]);
  });

  test.each([
    'select * from employee;',
    'with e as (select * from employee) select * from e',
    "select *, 'it''s' as remark from employee -- as it is\n;",
  ])('%j is sent', async (query) => {
    const { people } = await readAll(over(fakeSqlServer(world), worldSettings(URL, { query })));
    expect(people).toHaveLength(1_206);
  });

  test('two columns of one name are refused, not guessed', async () => {
    const settings = worldSettings(URL, { query: 'select *, emp_no as emp_no from employee' });
    await expect(readAll(over(fakeSqlServer(world), settings))).rejects.toThrow(/several columns emp_no/u);
  });

  test('takes another port, an instance, and a connection without TLS where the URL says so', () => {
    expect(optionsOf('mssql://u:p@db:1499/hr')).toMatchObject({ port: 1499, options: { encrypt: true } });
    expect(optionsOf('mssql://u:p@db/hr?instance=SQLEXPRESS')).not.toHaveProperty('port');
    expect(optionsOf('mssql://u:p@db/hr?instance=SQLEXPRESS').options?.instanceName).toBe('SQLEXPRESS');
    expect(optionsOf('mssql://u:p@db/hr?encrypt=false').options?.encrypt).toBe(false);
    expect(optionsOf('mssql://u:p@db/hr?domain=CORP')).toMatchObject({ domain: 'CORP' });
  });

  test('speaks TLS with an authority', () => {
    const folder = scratchFolder('sqlserver');
    const { caFile } = makePrivateCa(folder);
    const tls = { caFile, insecure: false };
    const { options } = sqlServerOptions(parseDatabaseUrl(URL), { ...worldSettings(URL), tls });
    removeFolder(folder);
    expect(options).toMatchObject({ trustServerCertificate: false });
    expect(options?.cryptoCredentialsDetails?.ca).toContain('BEGIN CERTIFICATE');
  });

  test('that is down is named with host and port, without password', async () => {
    const url = `sqlserver://hr:topsecret@localhost:${await freePort()}/hr`;
    const failure = openSource(worldSettings(url)).open(never);
    await expect(failure).rejects.toThrow(/sqlserver:\/\/localhost:\d+\/hr: nobody listens there/u);
    await expect(failure).rejects.not.toThrow(/topsecret/u);
  });

  test.each([
    [{ code: 'ELOGIN', number: 18_456 }, 'refuses this user or password'],
    [{ code: 'ELOGIN', number: 4_060 }, 'no such database'],
    [{ code: 'EREQUEST', number: 229 }, 'grant SELECT'],
    [{ code: 'ETIMEOUT' }, 'does not answer in time'],
    [{ code: 'ECONNCLOSED' }, 'the connection broke'],
  ])('an error %j is told with its remedy', (shape, words) => {
    const inner = Object.assign(new Error('words of the server'), shape);
    const error = Object.assign(new Error('outside'), { code: shape.code, originalError: inner });
    const { message } = sqlError(sqlServerProblem(error), { server: 'the database sqlserver://db:1433/hr' });
    expect(message).toContain(words);
  });

  test('whose driver is not installed says what to install', async () => {
    const loading = loadDriver(SQL_SERVER, async () => {
      throw new Error("Cannot find package 'mssql'");
    });
    await expect(loading).rejects.toThrow(/optional package mssql.*npm install mssql@.* tedious@19/u);
    await expect(loading).rejects.toBeInstanceOf(ConfigError);
  });
});
