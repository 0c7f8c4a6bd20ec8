import Database from 'better-sqlite3';
import { join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../servers/postgres.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { startScim, type Resource, type ScimServer } from '../source/scim/scim-server.ts';
import { openBeginning, type Beginning } from './init-world.ts';

const BASE = 'dc=example,dc=com';

type Entry = Parameters<typeof toLdif>[0][number];

const person = (dn: string, more: Entry[1] = {}): Entry => {
  const uid = /^uid=([^,]+)/u.exec(dn)?.[1] ?? '';
  return [dn, { objectClass: 'inetOrgPerson', uid, cn: uid.toUpperCase(), sn: 'x', ...more }];
};

const unit = (dn: string): Entry => [
  dn,
  { objectClass: 'organizationalUnit', ou: /^ou=([^,]+)/u.exec(dn)?.[1] ?? '' },
];

const shadow = (day: string) => ({ objectClass: ['inetOrgPerson', 'shadowAccount'], shadowExpire: day });

/** Checks and loads what init wrote; both have to go well. */
async function load(stage: Beginning): Promise<void> {
  const checked = await stage.go('check');
  expect([checked.code, checked.out + checked.err]).toEqual([0, expect.stringContaining('config')]);
  const synced = await stage.go('sync');
  expect([synced.code, synced.err]).toEqual([0, '']);
}

interface Directory extends Beginning {
  readonly server: Slapd;
  /** Path of the file with the password of its reader. */
  readonly password: string;
  /** Runs `rollcall init` on the directory. */
  readonly propose: (...flags: readonly string[]) => ReturnType<Beginning['init']>;
}

async function directoryOf(entries: readonly Entry[], options: SlapdOptions = {}): Promise<Directory> {
  const server = await startSlapd({ ldif: toLdif(entries), ...options });
  onTestFinished(async () => server.stop());
  const stage = await openBeginning();
  const password = stage.put('password', `${server.password}\n`);
  const bind = ['--bind-dn', server.bindDn, '--password-file', password];
  return {
    ...stage,
    server,
    password,
    propose: async (...flags) => stage.init('--url', server.url, ...bind, ...flags),
  };
}

describe('init on a directory', () => {
  test('proposes its tree of units, and loads', async () => {
    const company = `ou=company,${BASE}`;
    const stage = await directoryOf([
      unit(company),
      unit(`ou=Sales,${company}`),
      unit(`ou=EMEA,ou=Sales,${company}`),
      unit(`ou=Lab,${company}`),
      unit(`ou=Groups,${company}`),
      person(`uid=ann,ou=Sales,${company}`, { mail: 'ann@x.example', title: 'Head', mobile: '+49 170 1' }),
      person(`uid=bob,ou=EMEA,ou=Sales,${company}`),
      person(`uid=lin,ou=Lab,${company}`),
    ]);
    const made = await stage.propose();
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toMatch(/the organizational units; 3 of 3 people are directly below one/u);
    const text = stage.written() ?? '';
    expect(text).toContain(`bindPassword: \${file:${stage.password}}`);
    expect(text).not.toContain(stage.server.password);
    expect(text).toContain('vendor: openldap # by the root entry: OpenLDAP');
    expect(text).toContain(`base: ${company} # assumed: this entry is no unit`);
    expect(text).toContain('mobile: mobile # assumed: 1 of 3 entries have it');
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Sales/EMEA', 'lin: Lab']);
  });

  test('names a known end of accounts that no rule reads, as check does until one reads it', async () => {
    const stage = await directoryOf(
      [
        unit(`ou=Sales,${BASE}`),
        person(`uid=ann,ou=Sales,${BASE}`, shadow('-1')),
        unit(`ou=Lab,${BASE}`),
        person(`uid=leo,ou=Lab,${BASE}`, shadow('19000')),
        person(`uid=lin,ou=Lab,${BASE}`),
      ],
      { head: 'include /etc/ldap/schema/nis.schema' },
    );
    const made = await stage.propose();
    expect([made.code, made.out]).toEqual([
      4,
      expect.stringMatching(/say in people\.fields\.active what shadowExpire means/u),
    ]);
    const checked = await stage.go('check');
    expect([checked.code, checked.out]).toEqual([
      4,
      expect.stringMatching(/source\.people has shadowExpire, .*no rule reads it/u),
    ]);
    const rule = `active: { expr: "account_active == 'true' && shadowExpire in ['', '-1']" }`;
    stage.put('new/rollcall.yaml', stage.written()!.replace(/( +)(positions: )/u, `$1${rule}\n$1$2`));
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales', 'lin: Lab']);
  });

  test('keeps the path of a secret as it was given, and says what sn is', async () => {
    const more = { employeeNumber: '7' };
    const entries = [unit(`ou=Sales,${BASE}`), unit(`ou=Lab,${BASE}`)];
    const people = [person(`uid=ann,ou=Sales,${BASE}`, more), person(`uid=lin,ou=Lab,${BASE}`)];
    const stage = await directoryOf([...entries, ...people]);
    const made = await stage.propose('--password-file', relative(stage.folder, stage.password));
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain('bindPassword: ${file:password}');
    expect(stage.written()).toMatch(/ sn: employeeNumber # assumed: .*; sn is the employee number here/u);
    await load(stage);
  });

  test('takes the account that reads for no employee when it looks for the base', async () => {
    const company = `ou=company,${BASE}`;
    const reader = `uid=rollcall,ou=Services,${BASE}`;
    const stage = await directoryOf([
      unit(company),
      unit(`ou=Sales,${company}`),
      unit(`ou=Lab,${company}`),
      unit(`ou=Services,${BASE}`),
      person(reader, { userPassword: 'reader-secret' }),
      person(`uid=ann,ou=Sales,${company}`),
      person(`uid=lin,ou=Lab,${company}`),
    ]);
    const made = await stage.propose('--bind-dn', reader.toUpperCase());
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain(`base: ${company} # assumed: this entry is no unit`);
    expect(made.out).toContain(`1 of the people looked at are out of scope: they are not below ${company}`);
  });

  test('leaves out people beside the units and leavers by their employeeType, and says so', async () => {
    const stage = await directoryOf([
      unit(`ou=Sales,${BASE}`),
      unit(`ou=Lab,${BASE}`),
      [`l=Users,${BASE}`, { objectClass: 'locality', l: 'Users' }],
      person(`uid=ann,ou=Sales,${BASE}`),
      person(`uid=lin,ou=Lab,${BASE}`, { employeeType: 'staff' }),
      person(`uid=leo,ou=Lab,${BASE}`, { employeeType: 'Left' }),
      person(`uid=backup,l=Users,${BASE}`),
    ]);
    const made = await stage.propose();
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain(
      `people in l=Users,${BASE} are out of scope (people.exclude): they are in no unit`,
    );
    expect(made.out).not.toMatch(/not below/u);
    expect(made.out).toMatch(/read from pwdAccountLockedTime and pwdEndTime and employeeType alone/u);
    expect(stage.written()).toContain(`exclude: [ "l=Users,${BASE}" ] # assumed: no unit is above`);
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales', 'lin: Lab']);
  });

  test('without a tree makes units of the departments, also of a part of the people', async () => {
    const people = `ou=people,${BASE}`;
    const some = { departmentNumber: 'Sales/EMEA', mail: 'x@example.com' };
    const stage = await directoryOf(
      [
        unit(people),
        person(`uid=ann,${people}`, some),
        person(`uid=bob,${people}`, { ...some, departmentNumber: 'Lab' }),
        person(`uid=cyd,${people}`, some),
      ],
      { limits: 'size.soft=2 size.hard=2 size.prtotal=unlimited' },
    );
    const { ldapsUrl, caFile } = stage.server;
    const made = await stage.propose('--url', ldapsUrl, '--ca-file', relative(stage.folder, caFile));
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain(`tls: { caFile: ${caFile} }`);
    expect(made.out).toMatch(/only the first 2 people were looked at/u);
    expect(stage.written()).toContain('units: { distinct: departmentNumber, separator: / }');
    await stage.go('sync');
    expect(stage.arrived()).toContain('ann: Sales/EMEA');
    expect(stage.arrived()).toContain('bob: Lab');
  });
});

describe('init on a directory with groups', () => {
  const people = `ou=people,${BASE}`;
  const groups = `ou=groups,${BASE}`;
  const account = (uid: string): string => `uid=${uid},${people}`;
  const CLASSES = [
    ['posixGroup', 'memberUid', (uid: string) => uid, { gidNumber: '1' }],
    ['groupOfUniqueNames', 'uniqueMember', account, {}],
  ] as const;

  test.each(CLASSES)(
    '%s makes units of them, by %s, and loads',
    async (objectClass, by, named, more) => {
      const group = (cn: string, ...uids: readonly string[]): Entry => [
        `cn=${cn},${groups}`,
        { objectClass, cn, [by]: uids.map(named), ...more },
      ];
      const accounts = ['ann', 'bob', 'lin'].map((uid) => person(account(uid)));
      const stage = await directoryOf(
        [unit(people), unit(groups), ...accounts, group('Sales', 'ann', 'bob'), group('Lab', 'lin')],
        { head: 'include /etc/ldap/schema/nis.schema' },
      );
      const made = await stage.propose();
      expect([made.code, made.err]).toEqual([0, '']);
      expect(made.out).toContain(`the 2 groups below ${groups}`);
      expect(stage.written()).toContain(`members: ${by} # `);
      await load(stage);
      expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Sales', 'lin: Lab']);
    },
    120_000,
  );

  test('that were asked for, and of which there is none, are left to be written', async () => {
    const stage = await directoryOf([unit(people), person(account('ann'))]);
    const made = await stage.propose('--units', 'groups');
    expect([made.code, made.out]).toEqual([4, expect.stringContaining('no group was seen')]);
    expect(stage.written()).toContain('(objectClass=CHANGE-ME)');
  });
});

/** The URL of a server as init takes it, without its password. */
const withoutPassword = ({ url }: SqlServer): string => url.replace(/(?<=\/\/hr):.*(?=@localhost)/u, '');
const PASSWORD = 'hr-p@ss/word#1';

describe.skipIf(!hasServer('postgres'))('init on PostgreSQL', () => {
  test('finds people, departments and positions by names and keys; the password is a reference', async () => {
    const server = await startPostgres();
    const stage = await openBeginning();
    try {
      await server.exec(`
        create table departments (dept_id int primary key, dept_name text, parent_dept_id int references departments);
        create table employees (employee_id int primary key, login text, first_name text, last_name text,
          work_email text, mobile_phone text, status text, hire_date date);
        create table assignments (id int primary key, employee_id int references employees,
          dept_id int references departments, job_title text, is_primary bool);
        create table payroll (id int primary key, employee_id int, amount numeric);
        insert into departments values (1, 'Company', null), (2, 'Sales', 1), (3, 'Lab', 1);
        insert into employees values (1, 'ann', 'Ann', 'Ash', 'ann@x.example', '+491701', 'active', '2020-01-01'),
          (2, 'bob', 'Bob', 'Birch', 'bob@x.example', null, 'active', null),
          (3, 'cyd', 'Cyd', 'Cedar', null, null, 'terminated', null);
        insert into assignments values (1, 1, 2, 'Head', true), (2, 2, 3, null, true), (3, 1, 1, null, false),
          (4, 3, 3, null, true);
        create role reader login password '${PASSWORD}'; grant select on all tables in schema public to reader`);
      const password = stage.put('password', PASSWORD);
      const url = withoutPassword(server).replace('//hr@', '//reader@');
      const made = await stage.init('--url', url, '--password-file', password);
      expect([made.code, made.err]).toEqual([0, '']);
      const text = stage.written() ?? '';
      expect(text).toContain(
        'select "employee_id", "login", "first_name", "last_name", "work_email", "mobile_phone", "status" from "employees"',
      );
      expect(text).toContain('parent: parent_dept_id # assumed: 2 of 3 rows have it');
      expect(text).toContain(`password: \${file:${password}}`);
      await load(stage);
      expect(stage.arrived()).toEqual(['ann: Company, Company/Sales', 'bob: Company/Lab']);
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(!hasServer('mariadb'))('init on MariaDB', () => {
  test('knows OrangeHRM, and names its recipe', async () => {
    const server = await startMariadb();
    const stage = await openBeginning();
    try {
      await server.exec(`
        create table ohrm_subunit (id int primary key, name varchar(100), lft smallint, rgt smallint);
        create table hs_hr_employee (emp_number int primary key, emp_firstname varchar(100), emp_lastname varchar(100))`);
      const password = stage.put('password', PASSWORD);
      const made = await stage.init('--url', withoutPassword(server), '--password-file', password);
      expect([made.code, stage.written()]).toEqual([2, null]);
      expect(made.err).toContain('the tables of OrangeHRM; take config/recipes/orangehrm.yaml');
    } finally {
      await server.stop();
    }
  });

  test('reads tables of other names and other languages', async () => {
    const server = await startMariadb();
    const stage = await openBeginning();
    try {
      await server.exec(`
        create table abteilung (nr int primary key, bezeichnung varchar(50), oberabteilung int);
        insert into abteilung values (10, 'Firma', 0), (20, 'Vertrieb', 10);
        create table mitarbeiter (persnr int primary key, benutzername varchar(50), vorname varchar(50),
          nachname varchar(50), email varchar(80), abteilungsnr int, austrittsdatum date, \`order\` int);
        insert into mitarbeiter values (1, 'mueller', 'Jörg', 'Müller', 'jm@x.example', 20, null, 1),
          (2, 'alt', 'Alte', 'Frau', 'af@x.example', 20, '2020-12-31', 2),
          (3, 'bald', 'Bald', 'Weg', 'bw@x.example', 10, '2999-12-31', 3)`);
      const password = stage.put('password', PASSWORD);
      const made = await stage.init('--url', withoutPassword(server), '--password-file', password);
      expect([made.code, made.err]).toEqual([0, '']);
      expect(stage.written()).toContain(
        `parent: { expr: "oberabteilung in ['0'] ? '' : oberabteilung" } # assumed: these mean "none"`,
      );
      await load(stage);
      expect(stage.arrived()).toEqual(['bald: Firma', 'mueller: Firma/Vertrieb']);
    } finally {
      await server.stop();
    }
  });
});

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('init on files', () => {
  test('reads SQLite without keys, and mail addresses in place of usernames', async () => {
    const stage = await openBeginning();
    const db = new Database(join(stage.folder, 'own.db'));
    db.exec(`
      create table dept (id integer primary key, name text, parent text);
      insert into dept values (1, 'Head', null), (2, 'Sales', 'Head'), (3, 'Lab', 'Head');
      create table people (id integer primary key, full_name text, email text, department text, is_active integer);
      insert into people values (1, 'Ann', 'ann@x.example', 'Sales', 1), (2, 'Bob', 'bob@x.example', 'Lab', 1),
        (3, 'Cyd', 'cyd@x.example', 'Lab', 0)`);
    db.close();
    const made = await stage.init('--url', 'sqlite:own.db');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain('refs: [ id, name ] # assumed: people name it by name');
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Head/Sales', 'bob: Head/Lab']);
  });

  test('reads an export in GBK with Chinese names of columns', async () => {
    const stage = await openBeginning();
    const rows = [
      'b9a4bac52cd3c3bba7c3fb2cd0d5c3fb2cb2bfc3c52cd7b4ccac0a',
      '312c6c696e2cc1d6cfe32ccffacadb2cd4dad6b00a',
      '322c77616e672ccdf5c3f72cd1d0b7a22cc0ebd6b00a',
    ];
    const file = stage.put('people.csv', Buffer.from(rows.join(''), 'hex'));
    const made = await stage.init('--file', file);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain('encoding: gbk');
    const synced = await stage.go('sync');
    expect([synced.code, synced.err]).toEqual([0, '']);
    expect(stage.arrived()).toEqual(['lin: 销售']);
  });

  test.each([
    ['a number of rows', 'END;3', String.raw`^END;(\d+)$`, true],
    ['a number of rows in a row of its own', '合计;3;;', String.raw`^合计;(\d+);*$`, true],
    ['a sum in a row of its own', '合计;;;7200', String.raw`^合计;;;\d+$`, false],
    ['the parts of a pattern', 'Total (rows): 3', String.raw`^Total \(rows\): (\d+)$`, true],
  ])('reads %s in the last line as the trailer of an export', async (_, line, pattern, tellsRows) => {
    const stage = await openBeginning();
    const rows = ['1;ann;Ann;Sales', '2;bob;Bob;Lab', '3;end;End Total;Lab'];
    const text = (last: string): string =>
      ['emp_no;login;full_name;department', ...rows, last, ''].join('\n');
    const file = stage.put('people.csv', text(line));
    const made = await stage.init('--file', file);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(parse(stage.written() ?? '')).toMatchObject({ source: { complete: { trailer: { pattern } } } });
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Lab', 'end: Lab']);
    stage.put('people.csv', text(line).replace(/^2;.*\n/mu, ''));
    expect((await stage.go('sync')).code === 1).toBe(tellsRows);
  });

  test('asks which status leavers have, if it knows none of the values', async () => {
    const stage = await openBeginning();
    const rows = 'login,full_name,emp_no,department,status\nann,Ann,1,Lab,works\nbob,Bob,2,Lab,frozen\n';
    const made = await stage.init('--file', stage.put('people.csv', rows));
    expect([made.code, made.out]).toEqual([
      4,
      expect.stringMatching(/which status people have who have left \(seen: works 1, frozen 1\)/u),
    ]);
  });

  test('takes a last row that begins like a trailer as a row', async () => {
    const stage = await openBeginning();
    const file = stage.put(
      'people.csv',
      'login,full_name,emp_no,department\nann,Ann,1,Lab\nend,End Total,2,Lab\n',
    );
    expect((await stage.init('--file', file)).code).toBe(0);
    expect(stage.written()).not.toContain('trailer: {');
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Lab', 'end: Lab']);
  });

  test('reads positions that are valid today, open units, and names what it maps to no field', async () => {
    const stage = await openBeginning();
    const files = {
      'departments.csv': 'dept_id,dept_name,closed_on,status,head_id\n1,Sales,,open,7\n2,Old,,closed,8\n',
      'employees.csv': 'emp_no,login,full_name,shoe_size\n7,ann,Ann,38\n8,bob,Bob,44\n',
      'assignments.csv':
        'emp_no,dept_id,valid_from,valid_to,is_head\n7,1,2020-01-01,,1\n8,1,2020-01-01,2999-12-31,0\n7,2,2019-01-01,2019-12-31,0\n',
    };
    const flags = Object.entries(files).flatMap(([name, text]) => ['--file', stage.put(name, text)]);
    const made = await stage.init(...flags);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toMatch(/positions are the rows that are valid today, by valid_from and\s+valid_to/u);
    expect(made.out).toMatch(/closed units are out of scope \(units\.where\): status/u);
    expect(made.out).toMatch(/no field of units maps these columns of \S+:\s+closed_on,\s+head_id/u);
    expect(made.out).toMatch(/no field of people maps these columns of \S+:\s+shoe_size/u);
    expect(stage.written()).toContain('chief: is_head # assumed');
    const synced = await stage.go('sync');
    expect([synced.code, synced.err]).toEqual([0, '']);
    expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Sales']);
  });

  test.each([
    ['from_date,to_date', '2019-01-01,2019-12-31', '2020-01-01,9999-01-01'],
    ['is_current', '0', '1'],
    ['status', 'ended', 'running'],
  ])('takes no former place of a history for a place, by %s', async (columns, former, current) => {
    const stage = await openBeginning();
    const files = {
      'departments.csv': 'dept_id,dept_name\n1,Sales\n2,Lab\n',
      'employees.csv': 'emp_no,login,full_name\n7,ann,Ann\n8,bob,Bob\n',
      'dept_emp.csv': `emp_no,dept_id,${columns}\n7,1,${former}\n7,2,${current}\n8,1,${current}\n8,1,${current}\n`,
    };
    const flags = Object.entries(files).flatMap(([name, text]) => ['--file', stage.put(name, text)]);
    expect((await stage.init(...flags)).code).toBe(0);
    expect((await stage.go('check')).code).toBe(0);
    await stage.go('sync');
    expect(stage.arrived()).toEqual(['ann: Lab', 'bob: Sales']);
  });

  test('puts the surname first for those alone whose surname is Chinese', async () => {
    const stage = await openBeginning();
    const rows = 'login,vorname,nachname,emp_no,department\nanna,Anna,Groß,1,Lab\nlin,小明,林,2,Lab\n';
    expect((await stage.init('--file', stage.put('people.csv', rows))).code).toBe(0);
    await load(stage);
    expect(
      stage.sandbox.state
        .employees()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Anna Groß', '林小明']);
  });

  test('knows the id in a file that has a row twice', async () => {
    const stage = await openBeginning();
    const rows = 'login,full_name,emp_no,department\nann,Ann,1,Lab\nann,Ann,1,Lab\nbob,Bob,2,Lab\n';
    expect((await stage.init('--file', stage.put('people.csv', rows))).code).toBe(0);
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Lab', 'bob: Lab']);
  });

  test('tells three files of an export apart, in Latin-1 with semicolons', async () => {
    const stage = await openBeginning();
    const a = stage.put(
      'stellen.csv',
      latin('Personalnummer;Abteilungsnummer;Funktion;Leiter\n1;10;Chefin;1\n2;20;;0\n'),
    );
    const b = stage.put(
      'abteilungen.csv',
      latin('Abteilungsnummer;Bezeichnung;Übergeordnete Abteilung\n10;Büro;\n20;Straße;10\n'),
    );
    const c = stage.put(
      'mitarbeiter.csv',
      latin(
        'Personalnummer;Benutzername;Vorname;Nachname;E-Mail;Aktiv\n1;ann;Änne;Groß;a@x.example;ja\n2;bob;Bob;Weiß;b@x.example;ja\n3;old;Old;One;o@x.example;nein\n',
      ),
    );
    const made = await stage.init('--file', a, '--file', b, '--file', c);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(stage.written()).toContain('encoding: latin1');
    const synced = await stage.go('sync');
    expect([synced.code, synced.err]).toEqual([0, '']);
    expect(stage.arrived()).toEqual(['ann: Büro', 'bob: Büro/Straße']);
  });
});

test('says which file nothing uses, and takes it as what a flag calls it', async () => {
  const stage = await openBeginning();
  const a = stage.put('orgs-2026.csv', 'id,name,parent\n1,Sales,\n2,Lab,1\n');
  const b = stage.put('staff.csv', 'id,username,name,dept\n7,ann,Ann,1\n8,bob,Bob,2\n');
  const unused = await stage.init('--print', '--file', a, '--file', b, '--file', b);
  expect(unused.code).toBe(4);
  expect(unused.err.match(/by hand: .*/gu)).toEqual([
    expect.stringMatching(/say with --units-table if \S*orgs-2026\.csv has the units/u),
  ]);
  const named = await stage.init('--file', a, '--file', b, '--units-table', a);
  expect([named.code, named.err]).toEqual([0, '']);
  const synced = await stage.go('sync');
  expect([synced.code, synced.err]).toEqual([0, '']);
  expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Sales/Lab']);
});

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = (id: string, more: Readonly<Record<string, unknown>> = {}): Resource => ({
  id: `u-${id}`,
  userName: `${id}@x.example`,
  name: { givenName: id.toUpperCase(), familyName: 'Lee' },
  emails: [{ type: 'work', value: `${id}@x.example` }],
  active: true,
  ...more,
});

const group = (id: string, displayName: string, ...members: readonly string[]): Resource => ({
  id,
  displayName,
  members: members.map((one) => ({ value: `u-${one}` })),
});

async function scimOf(
  lists: Readonly<Record<string, readonly Resource[]>>,
): Promise<Beginning & { readonly server: ScimServer; readonly flags: readonly string[] }> {
  const server = await startScim(lists);
  onTestFinished(async () => server.close());
  const stage = await openBeginning();
  const flags = ['--url', server.url, '--password-file', stage.put('scim-token', 'good-token\n')];
  return { ...stage, server, flags };
}

const inUnit = (department: string): Resource => ({ [ENTERPRISE]: { department }, title: 'Clerk' });

describe('init on a SCIM server', () => {
  test('proposes groups that are departments by their names, and loads; people who are not active have left', async () => {
    const stage = await scimOf({
      Users: [user('ann', { title: 'Head' }), user('bob'), user('cyd', { active: false })],
      Groups: [
        group('g3', 'VPN', 'ann', 'bob'),
        group('g1', 'dept-Sales', 'ann', 'cyd'),
        group('g2', 'dept-Sales/EMEA', 'bob'),
      ],
    });
    stage.server.mostPerPage = 1;
    const made = await stage.init('--kind', 'scim', ...stage.flags);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain(
      'groups whose names begin with "dept-" are units: dept-Sales, dept-Sales/EMEA',
    );
    expect(made.out).toContain('no field of people maps: title');
    expect(stage.written()).toContain('username: { expr: "userName.split(\'@\')[0]" }');
    expect(stage.written()).not.toContain('good-token');
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales', 'bob: Sales/EMEA']);
  });

  test('proposes each department of the users as a unit where no group is called so', async () => {
    const stage = await scimOf({
      Users: [user('ann', inUnit('Sales/EMEA')), user('bob', inUnit('Lab'))],
      Groups: [group('g3', 'VPN', 'ann', 'bob')],
    });
    const made = await stage.init(...stage.flags);
    expect([made.code, made.err]).toEqual([0, '']);
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales/EMEA', 'bob: Lab']);
  });

  test('takes all groups where nothing tells which are departments, also of a server without any', async () => {
    const stage = await scimOf({ Users: [user('ann')], Groups: [group('g1', 'Sales', 'ann')] });
    expect((await stage.init(...stage.flags)).out).toContain('all groups are units: Sales');
    await load(stage);
    expect(stage.arrived()).toEqual(['ann: Sales']);
    const bare = await scimOf({ Users: [user('ann')], Groups: [] });
    bare.server.twist = ({ resource }) => (resource === 'Groups' ? { status: 404, body: {} } : null);
    const made = await bare.init(...bare.flags);
    expect([made.code, made.out]).toEqual([
      4,
      expect.stringContaining('by hand: no group is shown, and no department'),
    ]);
  });

  test('says what is wrong with the token, the address or the kind, and writes nothing', async () => {
    const stage = await scimOf({ Users: [user('ann')], Groups: [] });
    stage.server.twist = ({ token }) => (token === 'good-token' ? null : { status: 401, body: {} });
    const tries = [
      [
        ['--url', stage.server.url, '--password-file', stage.put('bad', 'bad-token')],
        1,
        /check source\.token/u,
      ],
      [['--url', `${stage.server.url}/none`, ...stage.flags.slice(2)], 1, /answers 404/u],
      [['--kind', 'ldap', ...stage.flags], 2, /--kind ldap goes with --url ldaps:/u],
      [['--url', stage.server.url], 2, /--password-file is missing/u],
    ] as const;
    for (const [flags, code, words] of tries) {
      const made = await stage.init(...flags);
      expect([made.code, made.err]).toEqual([code, expect.stringMatching(words)]);
    }
    stage.server.lists = { Users: [], Groups: [] };
    expect((await stage.init(...stage.flags)).err).toContain('shows no users; check what the token may read');
    expect(stage.written()).toBeNull();
  });
});
