import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { SqlSettings } from '../../../src/source/sql/kind.ts';
import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { parseDatabaseUrl } from '../../../src/source/sql/database-url.ts';
import { loadDriver } from '../../../src/source/sql/optional-engines.ts';
import { oracleDriver } from '../../../src/source/sql/oracle/oracle-driver.ts';
import { ORACLE, oracleOptions } from '../../../src/source/sql/oracle/oracle-library.ts';
import { openConnection } from '../../../src/source/sql/sql-connection.ts';
import { sqlServerDriver } from '../../../src/source/sql/sqlserver/sqlserver-driver.ts';
import {
  SQL_SERVER,
  sqlServerOptions,
  sqlServerProblem,
} from '../../../src/source/sql/sqlserver/sqlserver-library.ts';
import { sqlError } from '../../../src/source/sql/sql-error.ts';
import { freePort } from '../../servers/daemon.ts';
import { makePrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { sqlSource } from '../open-one.ts';
import { collect, describeSource, never, readAll } from '../source-contract.ts';
import { worldSettings } from '../sql-world.ts';
import { answersOfTheWorld, brokenAfter, type Answer } from './fake-answers.ts';
import { fakeOracle, type FakeOracle } from './fake-oracle.ts';
import { fakeSqlServer, type FakeSqlServer } from './fake-sqlserver.ts';
import { problem } from '../problem.ts';

const ORACLE_URL = 'oracle://hr:topsecret@db/HRPDB';
const SERVER_URL = 'sqlserver://hr:topsecret@db/hr';

const overOracle = (fake: FakeOracle, settings: SqlSettings = worldSettings(ORACLE_URL)): Source =>
  sqlSource(settings, async (signal) =>
    openConnection(oracleDriver(settings, 20, fake.driver), { seconds: 20, signal }),
  );
const overSqlServer = (fake: FakeSqlServer, settings: SqlSettings = worldSettings(SERVER_URL)): Source =>
  sqlSource(settings, async (signal) =>
    openConnection(sqlServerDriver(settings, 20, fake.driver), { seconds: 20, signal }),
  );

interface Engine {
  readonly name: string;
  readonly url: string;
  readonly driver: typeof ORACLE;
  readonly installs: RegExp;
  readonly world: Answer;
  /** Where there is a real server: the world is there already, by the statements of `worldSql()`. */
  readonly real: string | undefined;
  readonly broken: string;
  /** Returns the source over such answers, and what was sent after its beginning. */
  readonly over: (
    answer: Answer,
    query?: string,
  ) => { readonly source: Source; readonly sent: () => readonly string[] };
  readonly refused: readonly (readonly [query: string, reason: string])[];
}

const ENGINES: readonly Engine[] = [
  {
    name: 'Oracle',
    url: ORACLE_URL,
    driver: ORACLE,
    installs: /optional package oracledb.*npm install oracledb@.*--build-arg DRIVERS=oracledb$/u,
    world: answersOfTheWorld('VARCHAR2'),
    real: process.env['ROLLCALL_TEST_ORACLE_URL'],
    broken: 'select e.*, 1 / (700 - seq) as broken from employee e',
    over: (answer, query) => {
      const fake = fakeOracle(answer);
      const source = overOracle(fake, worldSettings(ORACLE_URL, { ...(query !== undefined && { query }) }));
      return { source, sent: () => fake.sent.slice(2) };
    },
    refused: [
      ['begin null; end;', 'it begins with another word'],
      ['select * from employee for update', 'the word UPDATE'],
      ['with function f return number is begin return 1; end; select f from dual', 'there is a ; within it'],
      ["select q'[it's]' from dual for update", 'the word UPDATE'],
    ],
  },
  {
    name: 'SQL Server',
    url: SERVER_URL,
    driver: SQL_SERVER,
    installs: /optional package mssql.*npm install mssql@.* tedious@19.*--build-arg DRIVERS=mssql$/u,
    world: answersOfTheWorld('nvarchar'),
    real: process.env['ROLLCALL_TEST_SQLSERVER_URL'],
    broken: 'select *, 1 / (700 - seq) as broken from employee',
    over: (answer, query) => {
      const fake = fakeSqlServer(answer);
      const source = overSqlServer(
        fake,
        worldSettings(SERVER_URL, { ...(query !== undefined && { query }) }),
      );
      return { source, sent: () => fake.sent };
    },
    refused: [
      ["/* select */ sp_rename 'a', 'b'", 'it begins with another word'],
      ['select 1 drop table employee', 'the word DROP'],
      ['select * into mine from employee', 'the word INTO'],
      ["select 'it''s' -- quiet\n update employee set seq = 1", 'the word UPDATE'],
      ["select * from openrowset('x', 'y', 'z')", 'the word OPENROWSET'],
      ["select 'drop' from employee", 'the word DROP, also in a text, a name or a comment'],
    ],
  },
];

for (const { name, world, over, real, broken } of ENGINES) {
  describeSource(`${name}, by the contract of its driver,`, true, async () => {
    const breaking: Answer = (sql) => {
      const { columns, rows } = world(sql);
      return { columns, rows: brokenAfter(rows, 700, new Error('divisor is equal to zero')) };
    };
    return { source: over(world).source, broken: over(breaking).source, stop: async () => undefined };
  });
  if (real !== undefined && real !== '')
    describeSource(`a real ${name}`, true, async () => ({
      source: openSource(worldSettings(real)),
      broken: openSource(worldSettings(real, { query: broken })),
      stop: async () => undefined,
    }));
}

describe.each(ENGINES)('$name', ({ url, world, over, refused, driver, installs }) => {
  test.each([
    ...refused,
    ['delete from employee', 'it begins with another word'],
    ['select 1; drop table employee', 'there is a ; within it'],
    ['', 'it begins with another word'],
  ] as const)('%j is not sent', async (query, reason) => {
    const { source, sent } = over(world, query);
    const read = await source.open(never);
    await expect(collect(read.people())).rejects.toThrow(reason);
    await read.close();
    expect(sent()).toEqual([]);
  });

  test.each([
    'select * from employee;',
    'with e as (select * from employee) select * from e',
    "select *, 'it''s' as remark from employee -- as it is\n;",
  ])('%j is sent', async (query) => {
    expect((await readAll(over(world, query).source)).people).toHaveLength(1_206);
  });

  test('two columns of one name are refused, whatever the driver calls the second', async () => {
    const twice = 'select *, emp_no as emp_no from employee';
    await expect(readAll(over(world, twice).source)).rejects.toThrow(
      problem('sql-column', 'columns emp_no;'),
    );
  });

  test('that is down is named with host and port, without password', async () => {
    const place = `localhost:${await freePort()}/hr`;
    const down = url.replace(/@db\/.*/u, `@${place}`);
    const failure = openSource(worldSettings(down)).open(never);
    await expect(failure).rejects.toThrow(problem('sql-failed', `://${place}: `, 'ECONNREFUSED'));
    await expect(failure).rejects.not.toThrow(/topsecret/u);
  });

  test('whose driver is not installed says what to install', async () => {
    const loading = loadDriver(driver, async () => {
      throw new Error('Cannot find package');
    });
    await expect(loading).rejects.toThrow(installs);
    await expect(loading).rejects.toBeInstanceOf(ConfigError);
  });
});

function withCa<T>(work: (caFile: string) => T): T {
  const folder = scratchFolder('optional');
  try {
    return work(makePrivateCa(folder).caFile);
  } finally {
    removeFolder(folder);
  }
}

const CHECKED: SqlSettings['tls'] = { insecure: false };
const oracle = (url: string, tls = CHECKED): ReturnType<typeof oracleOptions> =>
  oracleOptions(parseDatabaseUrl(url), { ...worldSettings(url), tls }, 20);
const sqlServer = (url: string, tls = CHECKED): ReturnType<typeof sqlServerOptions> =>
  sqlServerOptions(parseDatabaseUrl(url), { ...worldSettings(url), tls }, 20);

describe('Oracle', () => {
  const world = answersOfTheWorld('VARCHAR2');

  test('is read in one read-only transaction, with the driver told all that it needs', async () => {
    const fake = fakeOracle(world);
    const { evidence } = await readAll(overOracle(fake));
    expect(evidence).toMatchObject({ type: 'oracle', snapshot: 'READ ONLY transaction' });
    expect(fake.sent.slice(0, 2)).toEqual([
      "ALTER SESSION SET TIME_ZONE = '+00:00'",
      'SET TRANSACTION READ ONLY',
    ]);
    expect([fake.callTimeout, fake.closed]).toEqual([20_000, 1]);
    expect(fake.options).toEqual([
      {
        user: 'hr',
        password: 'topsecret',
        connectString:
          '(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=HRPDB)))',
        connectTimeout: 20,
        transportConnectTimeout: 20,
      },
    ]);
  });

  test('is asked for numbers and long texts as text, so that no digit is lost', async () => {
    const types = { EMP_NO: 'NUMBER', LOGIN: 'VARCHAR2', FULL_NAME: 'CLOB', EMAIL: 'XMLTYPE', BORN: 'DATE' };
    const names = [...Object.entries(types), ['STATUS', 'CHAR'], ['SORT_NO', 'BLOB']] as const;
    const fake = fakeOracle((sql) =>
      sql.includes('employee')
        ? { columns: names.map(([name, type]) => ({ name, type })), rows: [] }
        : world(sql),
    );
    const read = await overOracle(fake).open(never);
    await collect(read.people());
    await read.close();
    const text = { type: 'as text' };
    expect(fake.fetchedAs).toEqual({
      EMP_NO: text,
      LOGIN: undefined,
      FULL_NAME: text,
      EMAIL: text,
      BORN: undefined,
      STATUS: undefined,
      SORT_NO: { type: 'as bytes' },
    });
  });

  test('names a column of several values, with what to do', async () => {
    const fake = fakeOracle((sql) => {
      const { columns, rows } = world(sql);
      const nested = columns.map((column) =>
        column.name === 'email' ? { ...column, type: 'OBJECT' } : column,
      );
      return { columns: nested, rows };
    });
    await expect(readAll(overOracle(fake))).rejects.toThrow(
      problem('sql-failed', 'query select * from employee: ', ' email ', ' OBJECT,'),
    );
  });

  test.each([
    ['oracle://u:p@db/HR', 'oracle://db:1521/HR'],
    ['oracle://u:p@db/HR?protocol=tcps', 'oracle://db:2484/HR'],
    ['oracle://u:p@db:1599/HR?protocol=tcps', 'oracle://db:1599/HR'],
  ])('%s is named with the port that is asked: %s', async (url, named) => {
    const { driver } = fakeOracle(world);
    const refusing = { ...driver, getConnection: async () => Promise.reject(new Error('no')) };
    const opened = openConnection(oracleDriver(worldSettings(url), 20, refusing), {
      seconds: 20,
      signal: never,
    });
    await expect(opened).rejects.toThrow(named);
  });

  test('takes another port, and TLS with an authority', () => {
    expect(oracle('oracle://u:p@db:1599/HR').connectString).toContain('(PORT=1599)');
    const secure = withCa((caFile) => oracle(ORACLE_URL, { caFile, insecure: false }));
    expect(secure).toMatchObject({ sslServerDNMatch: true });
    expect(secure.connectString).toContain('(PROTOCOL=tcps)(HOST=db)(PORT=2484)');
    expect(secure.walletContent).toContain('BEGIN CERTIFICATE');
    expect(() => oracle(ORACLE_URL, { insecure: true })).toThrow(
      /^source\.tls\.insecure: .*source\.tls\.caFile/u,
    );
    expect(() => oracle('oracle://u:p@db')).toThrow(/write oracle:\/\/host:1521\/SERVICE/u);
    expect(() => oracle('oracle://u:p@db/x)(HOST=evil')).toThrow(/no brackets/u);
  });

  test.each([
    ['ORA-01017', 'ORA-01017: invalid credential or not authorized; logon denied', 'refuses this user'],
    ['ORA-12514', 'ORA-12514: service is not registered with the listener', 'knows no such service'],
    ['ORA-00942', 'ORA-00942: table or view "HR"."X" does not exist', '"HR"."X" does not exist'],
    ['NJS-506', 'NJS-506: authorization failed\nself-signed certificate in chain', 'source.tls.caFile'],
  ])('tells an error %s with its remedy', (code, words, told) => {
    const error = Object.assign(new Error(words), { code });
    const { message } = sqlError(error, { server: 'the database oracle://db:1521/hr' });
    expect(message).toContain(told);
  });
});

describe('SQL Server', () => {
  const world = answersOfTheWorld('nvarchar');

  test('is read in one snapshot that is rolled back, with the driver told all that it needs', async () => {
    const fake = fakeSqlServer(world);
    const { evidence } = await readAll(overSqlServer(fake));
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
    const { evidence } = await readAll(overSqlServer(fake));
    expect(fake.isolation).toEqual([2]);
    expect(evidence.snapshot).toMatch(/^READ COMMITTED .*, .*,/u);
    expect(evidence.warnings).toEqual([
      expect.stringMatching(/sqlserver:\/\/db:1433\/hr: .*ALLOW_SNAPSHOT_ISOLATION/u),
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
    const read = await overSqlServer(fake).open(never);
    for await (const _ of read.people()) break;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(5_000);
    await read.close();
  });

  test('takes another port, an instance, TLS with an authority, and none where the URL says so', () => {
    expect(sqlServer('mssql://u:p@db:1499/hr')).toMatchObject({ port: 1499, options: { encrypt: true } });
    expect(sqlServer('mssql://u:p@db/hr?instance=SQLEXPRESS')).not.toHaveProperty('port');
    expect(sqlServer('mssql://u:p@db/hr?instance=SQLEXPRESS').options?.instanceName).toBe('SQLEXPRESS');
    expect(sqlServer('mssql://u:p@db/hr?encrypt=false').options?.encrypt).toBe(false);
    expect(sqlServer('mssql://u:p@db/hr?domain=CORP')).toMatchObject({ domain: 'CORP' });
    const { options } = withCa((caFile) => sqlServer(SERVER_URL, { caFile, insecure: false }));
    expect(options).toMatchObject({ trustServerCertificate: false });
    expect(options?.cryptoCredentialsDetails?.ca).toContain('BEGIN CERTIFICATE');
  });

  test.each([
    [{ code: 'ELOGIN', number: 18_456 }, 'refuses this user or password'],
    [{ code: 'EREQUEST', number: 229 }, 'grant SELECT'],
    [{ code: 'ETIMEOUT' }, 'does not answer in time'],
  ])('tells an error %j with its remedy', (shape, words) => {
    const inner = Object.assign(new Error('words of the server'), shape);
    const error = Object.assign(new Error('outside'), { code: shape.code, originalError: inner });
    const { message } = sqlError(sqlServerProblem(error), { server: 'the database sqlserver://db:1433/hr' });
    expect(message).toContain(words);
  });
});
