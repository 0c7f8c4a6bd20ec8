import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../servers/postgres.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { startRest, type Row, type Twist } from '../source/rest/rest-server.ts';
import { startScim, type Resource } from '../source/scim/scim-server.ts';
import type { Stage } from './command-line.ts';
import { ARRIVED, CHECK, openBeginning, proposed, put, SYNC, writtenIn } from './init-world.ts';
import { expectScreen, type Step } from './story.ts';

const BASE = 'dc=example,dc=com';
const PASSWORD = 'hr-p@ss/word#1';

/** The text must not have a secret. */
async function expectProposal(name: string, text: string, ...secrets: readonly string[]): Promise<void> {
  for (const secret of [PASSWORD, ...secrets]) expect(text).not.toContain(secret);
  await expectScreen(`init ${name}`, text);
}

const person = (dn: string, more: LdifEntry[1] = {}): LdifEntry => {
  const uid = /^uid=([^,]+)/u.exec(dn)?.[1] ?? '';
  return [dn, { objectClass: 'inetOrgPerson', uid, cn: uid.toUpperCase(), sn: 'x', ...more }];
};
const unit = (dn: string): LdifEntry => [
  dn,
  { objectClass: 'organizationalUnit', ou: /^ou=([^,]+)/u.exec(dn)?.[1] ?? '' },
];
/** Entries by the unit that they are in; the units as well. */
const units = (people: Readonly<Record<string, readonly LdifEntry[]>>, ...names: readonly string[]) => [
  ...[...Object.keys(people), ...names].map((name) => unit(`${name},${BASE}`)),
  ...Object.values(people).flat(),
];
const at = (uid: string, place: string, more: LdifEntry[1] = {}): LdifEntry =>
  person(`uid=${uid},${place},${BASE}`, more);
const shadow = (day: string) => ({ objectClass: ['inetOrgPerson', 'shadowAccount'], shadowExpire: day });

const NIS = { head: 'include /etc/ldap/schema/nis.schema' };
const PEOPLE = 'ou=people';
const groups = (by: string, member: (uid: string) => string, more: LdifEntry[1]): readonly LdifEntry[] => [
  ...units({ [PEOPLE]: ['ann', 'bob', 'lin'].map((uid) => at(uid, PEOPLE)) }, 'ou=groups'),
  ...Object.entries({ Sales: ['ann', 'bob'], Lab: ['lin'] }).map(([cn, uids]): LdifEntry => [
    `cn=${cn},ou=groups,${BASE}`,
    { cn, [by]: uids.map(member), ...more },
  ]),
];

interface Directory {
  readonly entries: readonly LdifEntry[];
  readonly options?: SlapdOptions;
  readonly flags?: (server: Slapd) => readonly string[];
  readonly steps?: readonly Step[];
}

const DIRECTORIES: Readonly<Record<string, Directory>> = {
  'a tree of units': {
    entries: units(
      {
        'ou=company': [],
        'ou=Sales,ou=company': [
          at('ann', 'ou=Sales,ou=company', { mail: 'ann@x.example', title: 'Head', mobile: '+49 170 1' }),
        ],
        'ou=EMEA,ou=Sales,ou=company': [at('bob', 'ou=EMEA,ou=Sales,ou=company')],
        'ou=Lab,ou=company': [at('lin', 'ou=Lab,ou=company')],
      },
      'ou=Groups,ou=company',
    ),
  },
  'an end of accounts that no rule reads': {
    entries: units({
      'ou=Sales': [at('ann', 'ou=Sales', shadow('-1'))],
      'ou=Lab': [at('leo', 'ou=Lab', shadow('19000')), at('lin', 'ou=Lab')],
    }),
    options: NIS,
    steps: [
      CHECK,
      [
        'a rule reads it',
        (stage) => {
          const rule = `active: { expr: "account_active == 'true' && shadowExpire in ['', '-1']" }`;
          const text = writtenIn(stage) ?? '';
          put(stage, 'new/rollcall.yaml', text.replace(/( +)(positions: )/u, `$1${rule}\n$1$2`));
        },
      ],
      CHECK,
      SYNC,
      ARRIVED,
    ],
  },
  'a number in sn': {
    entries: units({
      'ou=Sales': [at('ann', 'ou=Sales', { employeeNumber: '7' })],
      'ou=Lab': [at('lin', 'ou=Lab', { employeeNumber: '7' })],
    }),
  },
  'an account that reads': {
    entries: units({
      'ou=company': [],
      'ou=Sales,ou=company': [at('ann', 'ou=Sales,ou=company')],
      'ou=Lab,ou=company': [at('lin', 'ou=Lab,ou=company')],
      'ou=Services': [at('rollcall', 'ou=Services', { userPassword: 'reader-secret' })],
    }),
    flags: () => ['--bind-dn', `UID=rollcall,ou=Services,${BASE}`],
  },
  'people beside the units and leavers': {
    entries: [
      ...units({
        'ou=Sales': [at('ann', 'ou=Sales')],
        'ou=Lab': [
          at('lin', 'ou=Lab', { employeeType: 'staff' }),
          at('leo', 'ou=Lab', { employeeType: 'Left' }),
        ],
      }),
      [`l=Users,${BASE}`, { objectClass: 'locality', l: 'Users' }],
      at('backup', 'l=Users'),
    ],
  },
  'departments of a part of the people': {
    entries: units({
      [PEOPLE]: Object.entries({ ann: 'Sales/EMEA', bob: 'Lab', cyd: 'Sales/EMEA' }).map(
        ([uid, departmentNumber]) => at(uid, PEOPLE, { departmentNumber, mail: 'x@example.com' }),
      ),
    }),
    options: { limits: 'size.soft=2 size.hard=2 size.prtotal=unlimited' },
    flags: ({ ldapsUrl, caFile }) => ['--url', ldapsUrl, '--ca-file', caFile],
    steps: [SYNC, ARRIVED],
  },
  'groups by memberUid': {
    entries: groups('memberUid', (uid) => uid, { objectClass: 'posixGroup', gidNumber: '1' }),
    options: NIS,
  },
  'groups by uniqueMember': {
    entries: groups('uniqueMember', (uid) => `uid=${uid},${PEOPLE},${BASE}`, {
      objectClass: 'groupOfUniqueNames',
    }),
  },
  'groups that are not there': {
    entries: units({ [PEOPLE]: [at('ann', PEOPLE)] }),
    flags: () => ['--units', 'groups'],
    steps: [],
  },
};

test.each(Object.entries(DIRECTORIES))('init on a directory: %s', async (name, directory) => {
  const server = await startSlapd({ ldif: toLdif(directory.entries), ...directory.options });
  onTestFinished(async () => server.stop());
  const stage = await openBeginning();
  put(stage, 'password', `${server.password}\n`);
  const flags = ['--url', server.url, '--bind-dn', server.bindDn, '--password-file', 'password'];
  const text = await proposed(stage, [...flags, ...(directory.flags?.(server) ?? [])], directory.steps);
  await expectProposal(`directory ${name}`, text, server.password);
});

describe.each<readonly [Parameters<typeof hasServer>[0], () => Promise<SqlServer>, object]>([
  [
    'postgres',
    startPostgres,
    {
      'names and keys': `
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
        create role reader login password '${PASSWORD}'; grant select on all tables in schema public to reader`,
    },
  ],
  [
    'mariadb',
    startMariadb,
    {
      OrangeHRM: `
        create table ohrm_subunit (id int primary key, name varchar(100), lft smallint, rgt smallint);
        create table hs_hr_employee (emp_number int primary key, emp_firstname varchar(100), emp_lastname varchar(100))`,
      'other languages': `
        create table abteilung (nr int primary key, bezeichnung varchar(50), oberabteilung int);
        insert into abteilung values (10, 'Firma', 0), (20, 'Vertrieb', 10);
        create table mitarbeiter (persnr int primary key, benutzername varchar(50), vorname varchar(50),
          nachname varchar(50), email varchar(80), abteilungsnr int, austrittsdatum date, \`order\` int);
        insert into mitarbeiter values (1, 'mueller', 'Jörg', 'Müller', 'jm@x.example', 20, null, 1),
          (2, 'alt', 'Alte', 'Frau', 'af@x.example', 20, '2020-12-31', 2),
          (3, 'bald', 'Bald', 'Weg', 'bw@x.example', 10, '2999-12-31', 3)`,
    },
  ],
])('init on %s', (kind, start, databases) => {
  test.skipIf(!hasServer(kind)).each(Object.entries(databases))('%s', async (name, sql: string) => {
    const server = await start();
    onTestFinished(async () => server.stop());
    const stage = await openBeginning();
    await server.exec(sql);
    put(stage, 'password', PASSWORD);
    const url = server.url.replace(/(?<=\/\/)hr:.*(?=@localhost)/u, kind === 'postgres' ? 'reader' : 'hr');
    const text = await proposed(stage, ['--url', url, '--password-file', 'password']);
    await expectProposal(`${kind} ${name}`, text);
  });
});

const SQLITE: Readonly<Record<string, string>> = {
  'mail addresses for usernames': `
    create table dept (id integer primary key, name text, parent text);
    insert into dept values (1, 'Head', null), (2, 'Sales', 'Head'), (3, 'Lab', 'Head');
    create table people (id integer primary key, full_name text, email text, department text, is_active integer);
    insert into people values (1, 'Ann', 'ann@x.example', 'Sales', 1), (2, 'Bob', 'bob@x.example', 'Lab', 1),
      (3, 'Cyd', 'cyd@x.example', 'Lab', 0)`,
  'a number sign in a name': `create table staff ("Badge #" text, "Full name" text, "Cost centre" text, "E-mail" text);
    insert into staff values ('7', 'Ann', 'x', 'ann@a.example')`,
  'people without a login': 'create table staff ("Badge #" text, "Full name" text, "Cost centre" text)',
};

test.each(Object.entries(SQLITE))('init on SQLite: %s', async (name, sql) => {
  const stage = await openBeginning();
  const db = new Database(join(stage.folder, 'own.db'));
  db.exec(sql);
  db.close();
  await expectProposal(`sqlite ${name}`, await proposed(stage, ['--url', 'sqlite:own.db']));
});

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const TRAILERS = {
  'a number of rows': 'END;3',
  'a number of rows in a row of its own': '合计;3;;',
  'a sum in a row of its own': '合计;;;7200',
  'the parts of a pattern': 'Total (rows): 3',
  'a row that begins like one': '4;end;End Total;Lab',
};
const exported = (last: string, ...without: readonly string[]): string =>
  ['emp_no;login;full_name;department', '1;ann;Ann;Sales', '2;bob;Bob;Lab', '3;cyd;Cyd;Lab', last, '']
    .filter((line) => !without.includes(line[0] ?? ''))
    .join('\n');
/** Former and current places in a history of them. */
const HISTORIES = {
  days: ['from_date,to_date', '2019-01-01,2019-12-31', '2020-01-01,9999-01-01'],
  'a mark': ['is_current', '0', '1'],
  'a status': ['status', 'ended', 'running'],
} as const;

interface Export {
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly flags?: readonly string[];
  readonly steps?: readonly Step[];
}
const people = (text: string | Buffer): Export => ({ files: { 'people.csv': text } });

const EXPORTS: Readonly<Record<string, Export>> = {
  'GBK and Chinese names of columns': people(
    Buffer.from(
      'b9a4bac52cd3c3bba7c3fb2cd0d5c3fb2cb2bfc3c52cd7b4ccac0a312c6c696e2cc1d6cfe32ccffacadb2cd4dad6b00a322c77616e672ccdf5c3f72cd1d0b7a22cc0ebd6b00a',
      'hex',
    ),
  ),
  'a status that is not known': people(
    'login,full_name,emp_no,department,status\nann,Ann,1,Lab,works\nbob,Bob,2,Lab,frozen\n',
  ),
  'Chinese surnames': people(
    'login,vorname,nachname,emp_no,department\nanna,Anna,Groß,1,Lab\nlin,小明,林,2,Lab\n',
  ),
  'a row twice': people('login,full_name,emp_no,department\nann,Ann,1,Lab\nann,Ann,1,Lab\nbob,Bob,2,Lab\n'),
  'positions of today and open units': {
    files: {
      'departments.csv': 'dept_id,dept_name,closed_on,status,head_id\n1,Sales,,open,7\n2,Old,,closed,8\n',
      'employees.csv': 'emp_no,login,full_name,shoe_size\n7,ann,Ann,38\n8,bob,Bob,44\n',
      'assignments.csv':
        'emp_no,dept_id,valid_from,valid_to,is_head\n7,1,2020-01-01,,1\n8,1,2020-01-01,2999-12-31,0\n7,2,2019-01-01,2019-12-31,0\n',
    },
  },
  'three files in Latin-1': {
    files: {
      'stellen.csv': latin('Personalnummer;Abteilungsnummer;Funktion;Leiter\n1;10;Chefin;1\n2;20;;0\n'),
      'abteilungen.csv': latin(
        'Abteilungsnummer;Bezeichnung;Übergeordnete Abteilung\n10;Büro;\n20;Straße;10\n',
      ),
      'mitarbeiter.csv': latin(
        'Personalnummer;Benutzername;Vorname;Nachname;E-Mail;Aktiv\n1;ann;Änne;Groß;a@x.example;ja\n2;bob;Bob;Weiß;b@x.example;ja\n3;old;Old;One;o@x.example;nein\n',
      ),
    },
  },
  'a file that nothing uses': {
    files: {
      'orgs-2026.csv': 'id,name,parent\n1,Sales,\n2,Lab,1\n',
      'staff.csv': 'id,username,name,dept\n7,ann,Ann,1\n8,bob,Bob,2\n',
    },
    flags: ['--file', 'staff.csv', '--print'],
    steps: [],
  },
  'a file that a flag names': {
    files: {
      'orgs-2026.csv': 'id,name,parent\n1,Sales,\n2,Lab,1\n',
      'staff.csv': 'id,username,name,dept\n7,ann,Ann,1\n8,bob,Bob,2\n',
    },
    flags: ['--units-table', 'orgs-2026.csv'],
  },
  ...Object.fromEntries(
    Object.entries(TRAILERS).map(([what, line]) => [
      `trailer ${what}`,
      {
        ...people(exported(line)),
        steps: [
          CHECK,
          SYNC,
          ARRIVED,
          ['bob is lost', (stage: Stage) => void put(stage, 'people.csv', exported(line, '2'))],
          SYNC,
        ],
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(HISTORIES).map(([what, [columns, former, current]]) => [
      `history by ${what}`,
      {
        files: {
          'departments.csv': 'dept_id,dept_name\n1,Sales\n2,Lab\n',
          'employees.csv': 'emp_no,login,full_name\n7,ann,Ann\n8,bob,Bob\n',
          'dept_emp.csv': `emp_no,dept_id,${columns}\n7,1,${former}\n7,2,${current}\n8,1,${current}\n8,1,${current}\n`,
        },
      },
    ]),
  ),
};

test.each(Object.entries(EXPORTS))('init on files: %s', async (name, { files, flags = [], steps }) => {
  const stage = await openBeginning();
  const named = Object.entries(files).flatMap(([file, text]) => ['--file', put(stage, file, text)]);
  await expectProposal(`files ${name}`, await proposed(stage, [...named, ...flags], steps));
});

const user = (id: string, more: Resource = {}): Resource => ({
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
const inUnit = (department: string): Resource => ({
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department },
  title: 'Clerk',
});

const PROVIDERS: Readonly<Record<string, Readonly<Record<string, readonly Resource[]>>>> = {
  'groups that are departments by their names': {
    Users: [user('ann', { title: 'Head' }), user('bob'), user('cyd', { active: false })],
    Groups: [
      group('g3', 'VPN', 'ann', 'bob'),
      group('g1', 'dept-Sales', 'ann', 'cyd'),
      group('g2', 'dept-Sales/EMEA', 'bob'),
    ],
  },
  'departments of users': {
    Users: [user('ann', inUnit('Sales/EMEA')), user('bob', inUnit('Lab'))],
    Groups: [group('g3', 'VPN', 'ann', 'bob')],
  },
  'all groups': { Users: [user('ann')], Groups: [group('g1', 'Sales', 'ann')] },
  'no groups': { Users: [user('ann')] },
  'no users': { Users: [], Groups: [] },
};

test.each(Object.entries(PROVIDERS))('init on a SCIM server: %s', async (name, lists) => {
  const server = await startScim({ Groups: [], ...lists });
  onTestFinished(async () => server.close());
  server.mostPerPage = 1;
  if (!('Groups' in lists))
    server.twist = ({ resource }) => (resource === 'Groups' ? { status: 404, body: {} } : null);
  const stage = await openBeginning();
  put(stage, 'scim-token', 'good-token\n');
  const text = await proposed(stage, ['--url', server.url, '--password-file', 'scim-token']);
  await expectProposal(`scim ${name}`, text, 'good-token');
});

const worker = (id: string, department: string, more: Row = {}): Row => ({
  id: `w-${id}`,
  profile: { login: `${id}@x.example`, firstName: id.toUpperCase(), lastName: 'Lee' },
  emails: [
    { type: 'home', value: `${id}@home.example` },
    { type: 'work', value: `${id}@x.example` },
  ],
  department: { id: 17, name: department },
  status: 'ACTIVE',
  ...more,
});
const WORKERS = [
  worker('ann', 'Sales/EMEA', { title: 'Head' }),
  worker('bob', 'Lab'),
  worker('cyd', 'Lab', { status: 'TERMINATED', reports: ['ann', 'bob'] }),
];
/** Leaves keys of an answer out. */
const lacking =
  (...keys: readonly string[]): Twist =>
  (_, { body }) => ({
    body: Object.fromEntries(Object.entries(body as object).filter(([key]) => !keys.includes(key))),
  });

interface Listing {
  /** Behind the address of the server. */
  readonly path: string;
  readonly twist?: Twist;
  readonly user?: string;
  readonly flags?: readonly string[];
  readonly steps?: readonly Step[];
}

const LISTINGS: Readonly<Record<string, Listing>> = {
  'a link in the header': { path: '/plain/people?limit=2&include=all' },
  'a link in the answer': { path: '/people?limit=2', user: 'h%20r' },
  'a cursor': {
    path: '/people?limit=2',
    twist: (_, { body }) => {
      const { data, cursor } = body as { readonly data: unknown; readonly cursor: string | null };
      return { body: { data, meta: { next_after: cursor } } };
    },
  },
  'a cursor that is sent by another name': {
    path: '/people?limit=2',
    twist: lacking('next'),
    steps: [CHECK],
  },
  'the number of a page': { path: '/people?page=1&limit=2', twist: lacking('next', 'more', 'cursor') },
  'an offset': { path: '/people?skip=0&limit=2&count=true', twist: lacking('next', 'more', 'cursor') },
  'no size of pages': { path: '/people', twist: lacking('more', 'cursor'), steps: [CHECK] },
  'one answer': { path: '/plain/people', twist: (_, { body }) => ({ body }), steps: [CHECK] },
  'ids of units': {
    path: '/people?limit=2',
    twist: (_, { body }) => ({
      body: { ...(body as object), data: WORKERS.map((one) => ({ ...one, department: { id: 17 } })) },
    }),
    steps: [],
  },
  'no list': { path: '/people', twist: () => ({ body: { data: { message: 'none' } } }), steps: [] },
  'a wrong secret': { path: '/people', twist: () => ({ status: 401, body: 'bad-token' }), steps: [] },
  'nothing but ids': {
    path: '/plain/ids?limit=2',
    flags: ['--anonymous'],
    steps: [CHECK],
  },
};

test.each(Object.entries(LISTINGS))('init on JSON over HTTP: %s', async (name, listing) => {
  const { path, twist, user: account, flags = ['--password-file', 'hr-token'], steps } = listing;
  const server = await startRest({ people: WORKERS, ids: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  onTestFinished(async () => server.close());
  if (!flags.includes('--anonymous')) server.token = account === undefined ? 'good-token' : 'h r:good-token';
  if (twist !== undefined) server.twist = twist;
  const stage = await openBeginning();
  put(stage, 'hr-token', 'good-token\n');
  const url = `${server.url}${path}`.replace('//', account === undefined ? '//' : `//${account}@`);
  const text = await proposed(stage, ['--kind', 'rest', '--url', url, ...flags], steps);
  await expectProposal(`rest ${name}`, text, 'good-token');
});
