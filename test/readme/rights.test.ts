import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify, parse } from 'yaml';
import { openSource } from '../../src/source/open-source.ts';
import { load } from '../config/config-file.ts';
import { hasServer } from '../servers/install.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../servers/postgres.ts';
import { readAll } from '../source/source-contract.ts';
import { ROOT } from './page.ts';

const PAGE = readFileSync(join(ROOT, 'docs/sources/database.md'), 'utf8');

/** Returns the blocks of the page in a language, in their order. */
const blocks = (language: string): readonly string[] =>
  Array.from(PAGE.matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```/gmsu), ({ groups }) => groups!).flatMap(
    (one) => (one['language'] === language ? [one['text']!] : []),
  );

const TABLES = [
  'create table department (id int, parent_id int, name varchar(99))',
  'create table employee (emp_no int, login varchar(99), full_name varchar(99), email varchar(99), status varchar(9))',
  'create table assignment (emp_no int, dept_id int, title varchar(99), is_primary int, is_head int)',
  "insert into department values (1, null, 'Company')",
  "insert into employee values (7, 'ann', 'Ann Ash', 'ann@example.com', 'active')",
  "insert into assignment values (7, 1, 'Boss', 1, 1)",
];

const [whole = ''] = blocks('yaml');
const [forPostgres = '', forMysql = ''] = blocks('sql');

/** Returns what the example of the page reads, as the account that the page makes. */
async function readByPage({ port, caFile }: SqlServer, scheme: string): Promise<readonly unknown[]> {
  const example = parse(whole.replaceAll(/\$\{file:[^}]*\}/gu, 't')) as { source: Record<string, unknown> };
  Object.assign(example.source, {
    url: `${scheme}://rollcall@localhost:${port}/hr`,
    password: 'a long random password',
    tls: { caFile },
  });
  const { settings } = load(stringify(example));
  const { units, people, rows, refusals } = await readAll(openSource(settings.source));
  return [units.length, people.map(({ username }) => username), rows.length, refusals];
}

describe('the grants of docs/sources/database.md are enough', () => {
  const started: SqlServer[] = [];
  afterAll(async () => {
    for (const server of started) await server.stop();
  });

  test.each([
    { scheme: 'postgres', start: startPostgres, grants: forPostgres },
    { scheme: 'mariadb', start: startMariadb, grants: forMysql },
  ] as const)('on $scheme', async ({ scheme, start, grants }) => {
    expect(grants).toContain('GRANT SELECT');
    if (!hasServer(scheme)) return;
    const server = await start();
    started.push(server);
    for (const sql of [...TABLES, ...grants.split(/;\s*\n/u).filter((one) => one.trim() !== '')])
      await server.exec(sql);
    expect(await readByPage(server, scheme)).toEqual([1, ['ann'], 1, []]);
  });
});
