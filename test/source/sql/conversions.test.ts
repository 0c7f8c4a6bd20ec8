import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SqlSettings } from '../../../src/source/sql/kind.ts';
import type { PersonRules } from '../../../src/domain/source-settings.ts';
import type { Cell } from '../../../src/source/mapping/values/raw-record.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { connectDatabase } from '../../../src/source/sql/read/connect-database.ts';
import { cellReader as oracleCell } from '../../../src/source/sql/oracle/oracle-library.ts';
import type { SqlConnection } from '../../../src/source/sql/sql-connection.ts';
import { cellReader as sqlServerCell } from '../../../src/source/sql/sqlserver/sqlserver-library.ts';
import { hasServer } from '../../servers/install.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { never, readAll, type ReadResult } from '../source-contract.ts';
import { worldSettings } from '../sql-world.ts';
import { CONVERSIONS, PREPARED, type Written } from './conversions.ts';

async function valueOf(connection: SqlConnection, sql: string): Promise<Cell> {
  const query = sql.startsWith('select') ? sql : `select ${sql} as v`;
  for await (const rows of connection.rows(query, () => [0])) return rows[0]?.[0];
  return undefined;
}

type RealEngine = 'postgres' | 'mariadb' | 'sqlite';

/** Rows of the table that an engine has. */
const rowsOf = (engine: RealEngine): readonly (readonly [string, Written])[] =>
  CONVERSIONS.flatMap((row) => {
    const own = row[engine];
    return own === undefined ? [] : [[`${own.type}, ${row.about}`, own] as const];
  });

/** People of one query, with `id` and `login`. */
async function people(
  url: string,
  query: string,
  rules: Partial<PersonRules> & Pick<PersonRules, 'fields'>,
): Promise<ReadResult> {
  const settings = worldSettings(url);
  const { units: _, positions: __, ...rest } = settings;
  const whole: SqlSettings = {
    ...rest,
    units: { ...settings.units, query: "select '1' as id, null as parent_id, 'X' as name" },
    people: {
      query,
      rules: { ...settings.people.rules, id: 'id', username: 'login', active: 'ok', ...rules },
    },
  };
  return readAll(openSource(whole));
}

interface Engine {
  readonly connect: () => Promise<SqlConnection>;
  readonly url: string;
  stop(): Promise<void>;
}

async function over(server: SqlServer, prepare: readonly string[]): Promise<Engine> {
  for (const sql of prepare) await server.exec(sql);
  return {
    url: server.url,
    connect: async () => connectDatabase(worldSettings(server.url), never),
    stop: async () => server.stop(),
  };
}

async function sqlite(): Promise<Engine> {
  const folder = scratchFolder('conversions');
  const url = `sqlite:${join(folder, 'hr.db')}`;
  new Database(join(folder, 'hr.db')).exec('create table t (x)').close();
  return {
    url,
    connect: async () => connectDatabase(worldSettings(url), never),
    stop: async () => removeFolder(folder),
  };
}

const ENGINES: Readonly<Record<RealEngine, () => Promise<Engine>>> = {
  postgres: async () => over(await startPostgres(), PREPARED.postgres),
  mariadb: async () => over(await startMariadb(), PREPARED.mariadb),
  sqlite,
};

const present = (Object.keys(ENGINES) as RealEngine[]).filter((name) => name === 'sqlite' || hasServer(name));

describe.each(present)('%s gives as text', (name) => {
  let engine: Engine;
  let connection: SqlConnection;
  beforeAll(async () => {
    engine = await ENGINES[name]();
    connection = await engine.connect();
  });
  afterAll(async () => {
    await connection?.close();
    await engine?.stop();
  });

  test.each(rowsOf(name))('%s', async (_, { sql, gives }) => {
    expect((await valueOf(connection, sql)) ?? null).toEqual(gives);
  });

  test('what fields want: days by a pattern, booleans, uuids of bytes', async () => {
    const bytes = { postgres: `'\\xd3b07384d9a04c9b8f0e1a2b3c4d5e6f'::bytea`, mariadb: '', sqlite: '' };
    const raw = bytes[name] || "x'd3b07384d9a04c9b8f0e1a2b3c4d5e6f'";
    const query = `select ${raw} as id, 'a' as login, 'Y' as ok, '29.02.1980' as born, 'A' as name`;
    const { people: found } = await people(engine.url, query, {
      id: { expr: 'uuid(id)' },
      fields: { name: 'name', birthday: { expr: "date(born, 'dd.MM.yyyy')" } },
    });
    expect(found).toMatchObject([
      {
        id: 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f',
        active: true,
        fields: { name: 'A', birthday: String(Date.UTC(1980, 1, 29)) },
      },
    ]);
  });

  test('a value that a field does not take: the field is lost, with value, place and what is wanted', async () => {
    const query = "select '1' as id, 'a' as login, 'Y' as ok, '1990-13-01' as born, 'many' as n";
    const { people: found } = await people(engine.url, query, {
      fields: { name: { const: 'X' }, birthday: 'born', rank: 'n' },
    });
    expect(found).toMatchObject([
      {
        id: '1',
        losses: [
          { field: 'birthday', reason: expect.stringMatching(/^"1990-13-01" .*\(1990-05-01,/u) },
          { field: 'rank', reason: '"many" is not an integer of at most 64 bits' },
        ],
      },
    ]);
  });
});

const contract = CONVERSIONS.flatMap(({ about, sqlserver, oracle }) => [
  ...(sqlserver === undefined ? [] : [['SQL Server', about, sqlserver, sqlServerCell] as const]),
  ...(oracle === undefined ? [] : [['Oracle', about, oracle, oracleCell] as const]),
]);

describe('by the contract of its driver', () => {
  test.each(contract)('%s gives %s', (_, about, { type, value, scale, gives }, reader) => {
    const column = { name: about, type, scale };
    expect(reader(column)(value) ?? null).toEqual(gives);
  });

  test('SQL Server: a decimal that has lost digits is not guessed', () => {
    const read = sqlServerCell({ name: 'emp_no', type: 'decimal', scale: 0 });
    expect(read(9_007_199_254_740_991)).toBe('9007199254740991');
    expect(() => read(9_007_199_254_740_994)).toThrow(/CAST\(emp_no AS /u);
    expect(() => sqlServerCell({ name: 'm', type: 'money', scale: 4 })(900_719_925_474_500)).toThrow(/CAST/u);
  });
});
