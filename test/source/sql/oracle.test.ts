import { describe, expect, test } from 'vitest';

import { ConfigError } from '../../../src/domain/errors.ts';
import type { SqlSettings } from '../../../src/domain/source-settings.ts';
import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { parseDatabaseUrl } from '../../../src/source/sql/database-url.ts';
import { loadDriver } from '../../../src/source/sql/optional-engines.ts';
import { OracleConnection } from '../../../src/source/sql/oracle/oracle-connection.ts';
import { ORACLE, oracleOptions } from '../../../src/source/sql/oracle/oracle-driver.ts';
import { sqlError } from '../../../src/source/sql/sql-error.ts';
import { freePort } from '../../servers/daemon.ts';
import { makePrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { sqlSource } from '../open-one.ts';
import { collect, describeSource, never, readAll } from '../source-contract.ts';
import { worldSettings } from '../sql-world.ts';
import { answersOfTheWorld, brokenAfter } from './fake-answers.ts';
import { fakeOracle, type FakeOracle } from './fake-oracle.ts';

const URL = 'oracle://hr:topsecret@db/HRPDB';

function over(fake: FakeOracle, settings: SqlSettings = worldSettings(URL)): Source {
  return sqlSource(settings, async (signal) =>
    OracleConnection.open(settings, signal, async () => fake.driver),
  );
}

function options(
  url: string,
  tls: SqlSettings['tls'] = { insecure: false },
): ReturnType<typeof oracleOptions> {
  return oracleOptions(parseDatabaseUrl(url), { ...worldSettings(url), tls });
}

const world = answersOfTheWorld('VARCHAR2');

describeSource('Oracle, by the contract of its driver,', true, async () => ({
  source: over(fakeOracle(world)),
  broken: over(
    fakeOracle((sql) => {
      const { columns, rows } = world(sql);
      return { columns, rows: brokenAfter(rows, 700, new Error('divisor is equal to zero')) };
    }),
  ),
  stop: async () => undefined,
}));

const real = process.env['ROLLCALL_TEST_ORACLE_URL'] ?? '';
if (real !== '') {
  // The world is in this schema already: the statements of worldSql().
  describeSource('a real Oracle', true, async () => ({
    source: openSource(worldSettings(real)),
    broken: openSource(
      worldSettings(real, { query: 'select e.*, 1 / (700 - seq) as broken from employee e' }),
    ),
    stop: async () => undefined,
  }));
}

describe('Oracle', () => {
  test('is read in one read-only transaction, with the driver told all that it needs', async () => {
    const fake = fakeOracle(world);
    const { evidence } = await readAll(over(fake));
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
    const read = await over(fake).open(never);
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

  test.each([
    ['delete from employee', 'it begins with another word'],
    ['begin null; end;', 'it begins with another word'],
    ['select * from employee for update', 'the word UPDATE'],
    ['select 1 from dual; drop table employee', 'there is a ; within it'],
    ['with function f return number is begin return 1; end; select f from dual', 'there is a ; within it'],
    ["select q'[it's]' from dual for update", 'the word UPDATE'],
    ['truncate table employee', 'it begins with another word'],
    ["select 'update' from dual", 'the word UPDATE, also in a text'],
  ])('%j is not sent', async (query, reason) => {
    const fake = fakeOracle(world);
    const read = await over(fake, worldSettings(URL, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(reason);
    await read.close();
    expect(fake.sent).toHaveLength(2);
  });

  test('two columns of one name are refused, though the driver gives the second another name', async () => {
    const settings = worldSettings(URL, { query: 'select *, emp_no as emp_no from employee' });
    await expect(readAll(over(fakeOracle(world), settings))).rejects.toThrow(/several columns emp_no/u);
  });

  test('a column of several values is named, with what to do', async () => {
    const fake = fakeOracle((sql) => {
      const { columns, rows } = world(sql);
      const nested = columns.map((column) =>
        column.name === 'email' ? { ...column, type: 'OBJECT' } : column,
      );
      return { columns: nested, rows };
    });
    await expect(readAll(over(fake))).rejects.toThrow(
      /query "select \* from employee": the column email is of type OBJECT.*select its parts/u,
    );
  });

  test('takes another port, and TLS with an authority', () => {
    const folder = scratchFolder('oracle');
    const { caFile } = makePrivateCa(folder);
    expect(options('oracle://u:p@db:1599/HR').connectString).toContain('(PORT=1599)');
    const secure = options(URL, { caFile, insecure: false });
    expect(secure).toMatchObject({ sslServerDNMatch: true });
    expect(secure.connectString).toContain('(PROTOCOL=tcps)(HOST=db)(PORT=2484)');
    expect(secure.walletContent).toContain('BEGIN CERTIFICATE');
    expect(() => options(URL, { insecure: true })).toThrow(/checks every certificate.*caFile/u);
    expect(() => options('oracle://u:p@db')).toThrow(/write oracle:\/\/host:1521\/SERVICE/u);
    expect(() => options('oracle://u:p@db/x)(HOST=evil')).toThrow(/no brackets/u);
    removeFolder(folder);
  });

  test('that is down is named with host and port, without password', async () => {
    const url = `oracle://hr:topsecret@localhost:${await freePort()}/hr`;
    const failure = openSource(worldSettings(url)).open(never);
    await expect(failure).rejects.toThrow(/oracle:\/\/localhost:\d+\/hr: nobody listens there/u);
    await expect(failure).rejects.not.toThrow(/topsecret/u);
  });

  test.each([
    ['ORA-01017', 'ORA-01017: invalid credential or not authorized; logon denied', 'refuses this user'],
    ['ORA-12514', 'ORA-12514: service is not registered with the listener', 'knows no such service'],
    [
      'ORA-00942',
      'ORA-00942: table or view "HR"."X" does not exist',
      'table or view "HR"."X" does not exist',
    ],
    ['NJS-500', 'NJS-500: connection to Oracle Database was closed or broken', 'was closed or broken'],
    ['NJS-506', 'NJS-506: authorization failed\nself-signed certificate in chain', 'source.tls.caFile'],
  ])('an error %s is told with its remedy', (code, words, told) => {
    const error = Object.assign(new Error(words), { code });
    const { message } = sqlError(error, { server: 'the database oracle://db:1521/hr' });
    expect(message).toContain(told);
  });

  test('whose driver is not installed says what to install', async () => {
    const loading = loadDriver(ORACLE, async () => {
      throw new Error("Cannot find package 'oracledb'");
    });
    await expect(loading).rejects.toThrow(/optional package oracledb.*npm install oracledb@/u);
    await expect(loading).rejects.toBeInstanceOf(ConfigError);
  });
});
