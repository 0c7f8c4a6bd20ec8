import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openSource } from '../../src/source/open-source.ts';
import { load } from '../config/config-file.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../servers/postgres.ts';
import { startSlapd } from '../servers/slapd.ts';
import { readAll, type ReadResult } from './source-contract.ts';

const SUFFIX = 'dc=example,dc=com';
const FOLDER = fileURLToPath(new URL('../../config/recipes', import.meta.url));

/** Reads what a recipe reads, with other texts in place of some of its own: addresses and passwords. */
async function readRecipe(
  name: string,
  replacements: readonly (readonly [text: RegExp, replacement: string])[],
  url = '',
): Promise<ReadResult> {
  const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
  const changed = replacements.reduce((now, [old, next]) => now.replace(old, () => next), text);
  const { settings } = load(changed.replaceAll(/\$\{file:[^}]*\}/gu, 'secret'), { URL: url });
  return readAll(openSource(settings.source, { lookups: settings.lookups }));
}

/** The URL of a server as a file has to have it: what would end a password early is encoded. */
const encoded = ({ url }: SqlServer): string =>
  url.replace(/(?<=\/\/hr:).*(?=@localhost)/u, (password) => encodeURIComponent(password));

const tree = ({ units }: ReadResult): readonly unknown[] =>
  units.map(({ id, parent, fields }) => [id, parent, fields['name']]);

const people = (read: ReadResult): readonly unknown[] =>
  read.people.map(({ username, active, fields, positions }) => [
    username,
    active,
    fields['name'],
    positions.map(({ unit, fields: own }) => [unit, own['job_title'] ?? null]),
  ]);

describe.skipIf(!hasServer('postgres'))('the recipe for Odoo', () => {
  let server: SqlServer;
  beforeAll(async () => {
    server = await startPostgres();
    for (const sql of [
      'create table hr_department (id int, name jsonb, parent_id int, manager_id int, active bool)',
      `insert into hr_department values (1, '{"en_US": "Company"}', null, 7, true), (2, '{"en_US": "Sales", "de_DE": "Vertrieb"}', 1, null, true), (3, '{"en_US": "Old"}', 1, null, false)`,
      'create table res_users (id int, login text, active bool)',
      `insert into res_users values (11, 'ann', true), (12, 'bob', false)`,
      'create table hr_employee (id int, name text, user_id int, department_id int, job_title text, work_email text, mobile_phone text, active bool)',
      `insert into hr_employee values (7, 'Ann', 11, 1, 'Boss', 'ann@x', null, true), (8, 'Bob', 12, 2, null, null, null, true)`,
    ])
      await server.exec(sql);
  });
  afterAll(async () => server?.stop());

  test('reads departments by language, employees with their users, and who heads what', async () => {
    const read = await readRecipe('odoo', [[/postgres:.*/u, '${URL}']], encoded(server));
    expect(tree(read)).toEqual([
      ['1', null, 'Company'],
      ['2', '1', 'Vertrieb'],
    ]);
    expect(people(read)).toEqual([
      ['ann', true, 'Ann', [['1', 'Boss']]],
      ['bob', false, 'Bob', [['2', null]]],
    ]);
    expect(read.people[0]?.positions[0]?.fields['chief']).toBe(true);
  });
});

describe.skipIf(!hasServer('mariadb'))('the recipes for MariaDB', () => {
  let server: SqlServer;
  beforeAll(async () => {
    server = await startMariadb();
  });
  afterAll(async () => server?.stop());

  test('OrangeHRM: the parent is the nearest subunit that holds another one', async () => {
    for (const sql of [
      'create table ohrm_subunit (id int, name varchar(100), lft smallint, rgt smallint)',
      `insert into ohrm_subunit values (1, 'Company', 1, 8), (2, 'Sales', 2, 5), (3, 'EMEA', 3, 4), (4, 'Lab', 6, 7)`,
      'create table ohrm_job_title (id int, job_title varchar(100))',
      `insert into ohrm_job_title values (5, 'Seller')`,
      'create table ohrm_user (emp_number int, user_name varchar(40), status tinyint(1), deleted tinyint(1))',
      `insert into ohrm_user values (7, 'ann', 1, 0), (8, 'bob', 1, 0)`,
      'create table hs_hr_employee (emp_number int, emp_firstname varchar(100), emp_lastname varchar(100), emp_work_email varchar(50), work_station int, job_title_code int, termination_id int)',
      `insert into hs_hr_employee values (7, 'Ann', 'Ash', null, 3, 5, null), (8, 'Bob', 'Birch', null, 4, null, 17)`,
    ])
      await server.exec(sql);
    const read = await readRecipe('orangehrm', [[/mariadb:.*/u, '${URL}']], encoded(server));
    expect(tree(read)).toEqual([
      ['1', null, 'Company'],
      ['2', '1', 'Sales'],
      ['3', '2', 'EMEA'],
      ['4', '1', 'Lab'],
    ]);
    expect(people(read)).toEqual([
      ['ann', true, 'Ann Ash', [['3', 'Seller']]],
      ['bob', false, 'Bob Birch', [['4', null]]],
    ]);
  });

  test('ERPNext: departments by name, and who has no account is out of scope', async () => {
    for (const sql of [
      'create table `tabDepartment` (name varchar(140), department_name varchar(140), parent_department varchar(140), disabled int)',
      "insert into `tabDepartment` values ('All Departments', 'All Departments', null, 0), ('Sales - X', 'Sales', 'All Departments', 0), ('EMEA - X', 'EMEA', 'Sales - X', 0)",
      'create table `tabEmployee` (name varchar(140), employee_name varchar(140), user_id varchar(140), company_email varchar(140), cell_number varchar(140), designation varchar(140), department varchar(140), status varchar(140))',
      "insert into `tabEmployee` values ('E1', 'Ann Ash', 'ann@x.example', null, null, 'Seller', 'EMEA - X', 'Active'), ('E2', 'Bob', null, null, null, null, 'Sales - X', 'Active')",
    ])
      await server.exec(sql);
    const read = await readRecipe('erpnext', [[/mariadb:.*/u, '${URL}']], encoded(server));
    expect(tree(read)).toEqual([
      ['Sales - X', null, 'Sales'],
      ['EMEA - X', 'Sales - X', 'EMEA'],
    ]);
    const inScope = { ...read, people: read.people.filter(({ outOfScope }) => outOfScope === undefined) };
    expect(people(inScope)).toEqual([['ann', true, 'Ann Ash', [['EMEA - X', 'Seller']]]]);
  });
});

test('the recipe for a flat directory makes units of the departments', async () => {
  const base = 'ou=people,dc=example,dc=com';
  const server = await startSlapd({
    ldif: toLdif([
      [base, { objectClass: 'organizationalUnit', ou: 'people' }],
      [
        `uid=ann,${base}`,
        {
          objectClass: 'inetOrgPerson',
          uid: 'ann',
          cn: 'Ann',
          sn: 'x',
          departmentNumber: 'Sales/EMEA',
          title: 'Boss',
        },
      ],
    ]),
  });
  try {
    const read = await readRecipe('flat-directory', [
      [/ldaps:\S+/u, server.url],
      [/bindDn: .*/u, `bindDn: ${server.bindDn}`],
      [/\$\{file:[^}]*ldap-password\}/u, server.password],
    ]);
    expect(tree(read)).toEqual([
      ['sales', null, 'Sales'],
      ['sales/emea', 'sales', 'EMEA'],
    ]);
    expect(people(read)).toEqual([['ann', true, 'Ann', [['sales/emea', 'Boss']]]]);
  } finally {
    await server.stop();
  }
});

test('the recipe for groups makes a tree of the groups in groups, of those whom the messenger is for', async () => {
  const names = (name: string, member: readonly string[]): LdifEntry => [
    `cn=${name},${SUFFIX}`,
    { objectClass: 'groupOfNames', cn: /^[^,]+/u.exec(name)?.[0] ?? '', member },
  ];
  const account = (uid: string): string => `uid=${uid},ou=people,${SUFFIX}`;
  const folder = (ou: string): LdifEntry => [`ou=${ou},${SUFFIX}`, { objectClass: 'organizationalUnit', ou }];
  const server = await startSlapd({
    ldif: toLdif([
      ...['groups', 'people', 'roles'].map((ou) => folder(ou)),
      ...['ann', 'bob', 'cyd'].map((uid): LdifEntry => [
        account(uid),
        { objectClass: 'inetOrgPerson', uid, cn: uid, sn: 'x', title: `${uid} does` },
      ]),
      names('Sales,ou=groups', [account('ann'), `cn=EMEA,ou=groups,${SUFFIX}`, account('cyd')]),
      names('EMEA,ou=groups', [account('bob'), account('ann')]),
      names('mail-all,ou=groups', [account('ann')]),
      names('messenger,ou=roles', [account('ann'), `cn=EMEA,ou=groups,${SUFFIX}`]),
    ]),
  });
  try {
    const read = await readRecipe('openldap-groups', [
      [/ldap:\S+\n *startTls: true\n.*/u, server.url],
      [/bindDn: .*/u, `bindDn: ${server.bindDn}`],
      [/\$\{file:[^}]*ldap-password\}/u, server.password],
    ]);
    const inScope = read.units.filter(({ outOfScope }) => outOfScope === undefined);
    const idOf = new Map(inScope.map(({ id, fields }) => [fields['name'], id]));
    expect(tree({ ...read, units: inScope })).toEqual([
      [idOf.get('Sales'), null, 'Sales'],
      [idOf.get('EMEA'), `cn=sales,ou=groups,${SUFFIX}`, 'EMEA'],
    ]);
    const [sales, emea] = ['sales', 'emea'].map((cn) => `cn=${cn},ou=groups,${SUFFIX}`);
    expect(people(read)).toEqual([
      [
        'ann',
        true,
        'ann',
        [
          [emea, 'ann does'],
          [sales, 'ann does'],
        ],
      ],
      ['bob', true, 'bob', [[emea, 'bob does']]],
    ]);
  } finally {
    await server.stop();
  }
});
