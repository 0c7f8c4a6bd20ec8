import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { openSource } from '../../src/source/open-source.ts';
import { load } from '../config/config-file.ts';
import { startDs389 } from '../servers/ds389.ts';
import { hasServer } from '../servers/install.ts';
import { added } from '../servers/ldif.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startPostgres } from '../servers/postgres.ts';
import { startSlapd } from '../servers/slapd.ts';
import { readAll } from '../source/source-contract.ts';
import { ROOT } from './page.ts';

/** Returns the blocks of a page in a language, in their order. */
function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/sources', page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(?<block>.*?)^\`\`\``, 'gmsu'));
  return Array.from(blocks, ({ groups }) => groups?.['block'] ?? '');
}

/** Returns the values of an attribute in LDIF, without their numbers. */
const valuesIn = (ldif: string, name: string): readonly string[] =>
  Array.from(ldif.matchAll(new RegExp(`^${name}: (?:\\{\\d\\})?(?<value>.*)$`, 'gmu')), ({ groups }) =>
    String(groups?.['value']),
  );

/** Returns what the first example of a page reads, with some of its settings replaced; it fails of what is refused. */
async function readBy(
  page: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const [yaml = ''] = blocksOf(page, 'yaml');
  const example = parse(yaml.replaceAll(/\$\{file:[^}]*\}/gu, 't')) as { readonly source: object };
  const source = { ...example.source, ...settings };
  const { units, people, refusals } = await readAll(
    openSource(load(stringify({ ...example, source })).settings.source),
  );
  return [units.length, people.map(({ username }) => username), refusals];
}

const READ = [1, ['ann'], []];

const TABLES = [
  'create table department (id int, parent_id int, name varchar(99))',
  'create table employee (emp_no int, login varchar(99), full_name varchar(99), email varchar(99), status varchar(9))',
  'create table assignment (emp_no int, dept_id int, title varchar(99), is_primary int, is_head int)',
  "insert into department values (1, null, 'Company')",
  "insert into employee values (7, 'ann', 'Ann Ash', 'ann@example.com', 'active')",
  "insert into assignment values (7, 1, 'Boss', 1, 1)",
];

describe('the grants of docs/sources/database.md are enough', () => {
  const [forPostgres = '', forMysql = ''] = blocksOf('database.md', 'sql');

  test.each([
    { scheme: 'postgres', start: startPostgres, grants: forPostgres },
    { scheme: 'mariadb', start: startMariadb, grants: forMysql },
  ] as const)('on $scheme', async ({ scheme, start, grants }) => {
    expect(grants).toContain('GRANT SELECT');
    if (!hasServer(scheme)) return;
    const server = await start();
    onTestFinished(() => server.stop());
    for (const sql of [...TABLES, ...grants.split(/;\s*\n/u).filter((one) => one.trim() !== '')])
      await server.exec(sql);
    const url = `${scheme}://rollcall@localhost:${server.port}/hr`;
    const tls = { caFile: server.caFile };
    expect(await readBy('database.md', { url, tls, password: 'a long random password' })).toEqual(READ);
  });
});

describe('the LDIF of docs/sources/openldap-389-freeipa.md is enough', () => {
  const PAGE = 'openldap-389-freeipa.md';
  const [account = '', access = '', , of389 = ''] = blocksOf(PAGE, 'ldif');
  const company = added([
    ['ou=company,dc=example,dc=com', { objectClass: 'organizationalUnit', ou: 'company' }],
    ['ou=sales,ou=company,dc=example,dc=com', { objectClass: 'organizationalUnit', ou: 'sales' }],
    [
      'uid=ann,ou=sales,ou=company,dc=example,dc=com',
      { objectClass: 'inetOrgPerson', uid: 'ann', cn: 'Ann', sn: 'Ash', userPassword: 'hers' },
    ],
  ]);

  test('on OpenLDAP', async () => {
    const rules = valuesIn(access, 'olcAccess').map((rule) => `access ${rule}`);
    const limits = valuesIn(access, 'olcLimits');
    expect([rules.length, limits.length]).toEqual([1, 1]);
    if (!hasServer('slapd')) return;
    const server = await startSlapd({
      access: rules.join('\n'),
      readers: 'self',
      config: `limits ${limits.join('')}`,
    });
    onTestFinished(() => server.stop());
    server.modify(company);
    server.modify(account.replace('{SSHA}from slappasswd', 'reader'));
    const { url, caFile } = server;
    expect(await readBy(PAGE, { url, tls: { caFile }, bindPassword: 'reader' })).toEqual(READ);
  });

  test('on 389 Directory Server', async () => {
    expect(of389).toContain('aci:');
    if (!hasServer('ds389')) return;
    const server = await startDs389();
    onTestFinished(() => server.stop());
    server.modify(company);
    server.modify(of389);
    const settings = { url: server.url, startTls: false, tls: {}, vendor: '389' };
    expect(await readBy(PAGE, { ...settings, bindPassword: 'a long random password' })).toEqual(READ);
  });
});
