import Database from 'better-sqlite3';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeySet } from '../../src/lib/digest.ts';
import { hasServer } from '../servers/install.ts';
import { writeExport } from '../servers/scratch.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { BASE, worldLdif } from '../source/ldap-world.ts';
import { HR, openStage, until } from './command-line.ts';
import { configured, expectStory, type Step } from './story.ts';

/** One of each kind of record that cannot be used, or not whole. */
const BAD = `insert into department values ('d4', 'nowhere', 'Lost'), ('d5', 'd4', 'Lost too');
  insert into employee values ('4', 'ANN', 'Ann B', null, 'active'), ('4', 'dan', 'Dan', null, 'active'),
    ('5', null, 'No login', null, 'active'), ('6', 'eve', 'Eve', null, 'active'),
    ('7', 'fay', 'Fay', null, 'active'), ('8', 'gus', 'Gus', null, 'left'), ('9', 'hal', 'Hal', null, 'active');
  insert into assignment values ('4', 'd1', null, 1), ('6', 'old', null, 1), ('7', 'd4', null, 1),
    ('8', 'old', null, 1), ('gone', 'd1', null, 1), ('5', 'd1', null, 1)`;

const MESSAGES = `notify: { to: { usernames: [lin, nobody] } }
http: {}
approvals:
  callback: { token: t, key: sandboxsandboxsandboxsandboxsandboxsandbox0, applicationId: roll }
  approvers: [bob, ghost]
log:`;

const IN_CONSOLE = `http:
  console:
    approvers:
      - { username: ann, token: the-own-token-of-ann }
      - { username: bob, token: the-own-token-of-bob }
      - { username: Lin, token: the-own-token-of-lin }
      - { username: ghost, token: the-own-token-of-ghost }
log:`;

/** An export that has its header alone. */
const emptyExport: Step = [
  'the people are an export that has its header alone',
  (stage) => {
    writeExport(join(stage.folder, 'p.csv'), 'id,login,name,unit\n');
    writeExport(join(stage.folder, 'u.csv'), 'id,name\n1,Lab\n');
    stage.setSource(`source:
  type: csv
  complete: { maxAgeHours: 26 }
  units: { file: u.csv, fields: { id: id, name: name } }
  people: { file: p.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }
`);
  },
];

const boundToAnother: Step = [
  'the ledger belongs to another organization',
  ({ ledgerFile }) => {
    const db = new Database(ledgerFile);
    db.exec(`update fact set value = '"another/organization"' where name = 'binding'`);
    db.close();
  },
];

/** People worth a look, accounts that may be no people's, and records that `where` leaves out. */
const EVERYONE = `insert into department values ('d4', 'd1', 'Old'), ('d5', 'd1', 'Older');
  insert into employee values ('4', 'zoë', 'Zoë', 'zoe@example.com', 'active'), ('5', 'gus', 'Gus', null, 'left'),
    ('6', 'hal', 'Hal', null, 'left'), ('7', 'svc-backup', 'Backup', null, 'active'), ('8', 'out', 'Out', null, 'active'),
    ('9', 'test.lab', 'Test Lab', 'lab@example.com', 'active'), ('a', 'dan', 'Scan 2', null, 'active');
  insert into assignment select emp_no, 'd1', null, 1 from employee where emp_no > '3'`;

const WHERE = configured(
  ['select * from department,', `select * from department, where: "!name.startsWith('Old')",`],
  ['select * from employee', `select * from employee\n    where: "login != 'out'"`],
);

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'a sound company': ['check', 'sync', 'check', configured(['id: emp_no', 'id: login']), 'check'],
  'records that cannot be used': [BAD, 'check'],
  'for machines': [BAD, 'check --json'],
  'people of every kind': [EVERYONE, WHERE, 'check', 'check --json', 'sync', 'check'],
  'known ends that no rule reads': [
    'alter table employee add column exit_date text',
    'alter table employee add column deleted text',
    'alter table assignment add column to_date text',
    `update employee set deleted = 'no'`,
    `update assignment set to_date = '9999-12-31'`,
    'check',
    `update employee set exit_date = '2020-01-31' where emp_no = '3'`,
    `update assignment set to_date = '2019-12-31' where dept_id = 'd3'`,
    'check',
    configured(
      ["status != 'left'", "exit_date == ''"],
      ['select * from assignment', "select * from assignment where to_date > '2026-01-01'"],
    ),
    'check',
  ],
  'an export without records': [emptyExport, 'check', 'sync'],
  'people at the root': [
    `insert into employee values ('6', 'eve', 'Eve', null, 'active'), ('9', 'hal', 'Hal', null, 'active')`,
    `insert into assignment values ('6', 'old', null, 1)`,
    configured(['state:', 'sync: { orphans: root }\nstate:']),
    'check',
  ],
  'a field that cannot be read': [
    configured(['name: full_name,', 'name: full_name, birthday: full_name,']),
    'check',
  ],
  'messages to nobody': [configured(['log:', MESSAGES]), 'sync', 'check'],
  'approvers in the console who cannot approve': [
    configured(['log:', IN_CONSOLE]),
    'sync',
    ['bob is locked', ({ sandbox }) => sandbox.edit.lockEmployee('bob')],
    'check',
  ],
  'nobody can be mapped': ['update employee set login = null', 'check'],
  'no unit can be mapped': ['delete from department', 'check'],
  'values that decide are missing': [
    'sync',
    `update employee set status = 'left' where login <> 'ann'`,
    'sync',
    'update employee set status = null',
    'check',
  ],
  'somebody is missing': [
    'sync',
    `delete from assignment where emp_no = '1'`,
    `delete from employee where emp_no = '1'`,
    'check',
  ],
  'a guard would hold': ['sync', `update employee set status = 'left'`, 'check'],
  'positions without a row': ['sync', 'delete from assignment', 'check'],
  'a token that is refused': ['sync', configured(['token: ${TOKEN}', 'token: wrong']), 'check'],
  'a ledger of another organization': ['sync', boundToAnother, 'check'],
};

test.each(Object.entries(STORIES))('check: %s', async (name, steps) => {
  await expectStory(`check ${name}`, await openStage(), steps);
});

/** Lines about records, in the order of the alphabet. The ledger has no display names of people who are not managed. */
const listed = (out: string): readonly string[] =>
  [...out.matchAll(/^ *! ((?:person|unit|\d+ (?:people|units):) .*)$/gmu)]
    .map(([, line = '']) => line.replace(/^(person [^:]*) \([^:]*\):/u, '$1:'))
    .toSorted();

const EVERY_KIND = `
  insert into department values ('c1', 'c2', 'Circle'), ('c2', 'c1', 'Circle too'), ('d6', 'd1', 'Sales'),
    ('d7', 'd1', null), ('d8', 'd1', 'Twice'), ('d8', 'd1', 'Twice again'), (null, 'd1', 'No id');
  insert into employee values ('11', 'ivy', null, null, 'active'), ('12', 'jo', 'Jo', 'no mail', 'active'),
    ('13', 'with blank', 'With blank', null, 'active'), (null, 'kim', 'Without id', null, 'active'),
    ('14', 'liu', 'In a circle', null, 'active'), ('15', 'max', 'In two', null, 'active'), ('16', 'ned', 'Ned', null, 'active'),
    ('17', 'own', 'Made by others', null, 'left');
  insert into assignment values ('11', 'd1', null, 1), ('12', 'd1', null, 1), ('13', 'd1', null, 1),
    ('14', 'c1', null, 1), ('15', 'd8', null, 1), ('16', 'd1', null, 1), ('16', 'd6', null, 1);
`;

test.each([
  ['in a first load', ''],
  ['where a company is known, and records of every kind are added', EVERY_KIND],
])('check and the run that follows list the same records for the same reasons, %s', async (_, more) => {
  const stage = await openStage({ hr: HR + BAD });
  if (more !== '') {
    await stage.type('sync');
    stage.hr(more);
  }
  const check = await stage.type('check');
  const sync = await stage.type('sync');
  expect([check.code, sync.code]).toEqual([4, 4]);
  const status = await stage.type('status');
  const left = status.out.slice(status.out.indexOf('skipped or waiting'));
  expect(listed(left).length).toBeGreaterThan(5);
  expect(listed(check.out)).toEqual(listed(left));
});

/** A company whose people are in 500 units that nobody knows. */
const crowd = (people: number): string => `${HR}
    with recursive n(i) as (select 10 union all select i + 1 from n where i < ${people + 9})
      insert into employee select i, 'user' || i, 'Name ' || i, null, 'active' from n;
    insert into assignment select emp_no, 'old' || (emp_no % 500), null, 1 from employee where length(emp_no) > 1;`;

/** A file may be closed at any moment. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

test('check ends at a signal, before the rest', async () => {
  const stage = await openStage({ hr: crowd(200_000) });
  const running = stage.start('check');
  const files = `/proc/${running.child.pid}/fd`;
  const isReading = (): boolean =>
    readdirSync(files).some((file) => linkOf(join(files, file)).endsWith('hr.db'));
  await until(isReading, 'the check to begin');
  running.child.kill('SIGTERM');
  const { code, out } = await running.ended;
  expect([code, out]).toEqual([1, expect.not.stringMatching(/^\w+ +ledger /mu)]);
});

test('check stays short and in little memory for a large company', async () => {
  const stage = await openStage({ hr: crowd(100_000) });
  stage.setEnv({ NODE_OPTIONS: '--max-old-space-size=96' });
  const { code, out } = await stage.type('check');
  expect(code).toBe(4);
  expect(out).toMatch(/! 200 people: unit "old\d+" is unknown\n.* and 190 more \(/u);
  expect(out.split('\n').length).toBeLessThan(270);
});

describe.skipIf(!hasServer('slapd'))('check of a directory', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd({ ldif: worldLdif() });
  });
  afterAll(() => slapd.stop());

  const READER = `cn=reader,${BASE}`;
  const source = (fields: string, account = [slapd.bindDn, slapd.password]): string => `source:
  type: ldap
  url: ${slapd.url}
  bindDn: ${account[0]}
  bindPassword: ${account[1]}
  units:
    base: ${BASE}
    filter: (objectClass=organizationalUnit)
    fields: { id: businessCategory, refs: [dn, businessCategory], name: description }
  people:
    base: ${BASE}
    filter: (&(objectClass=inetOrgPerson)(uid=crowd1*))
    fields: { id: employeeNumber, username: uid, name: displayName, ${fields}, positions: [{ unit: parentDn }] }
`;
  const mapping = (fields: string): Step => [fields, (stage) => stage.setSource(source(fields))];

  test('names what the schema does not know, and what no entry has, unless only a default reads it', async () => {
    await expectStory('check attributes of a directory', await openStage(), [
      mapping('email: mial'),
      'check',
      mapping('mobile: pager, email: mail'),
      'check',
      mapping(`active: { expr: "employeType != 'left'" }`),
      'check',
      mapping('active: { expr: "employeeType != lefd" }'),
      'check',
    ]);
  });

  test('tries a refused password again at once, and ends the pause that the ledger keeps for sync', async () => {
    const stage = await openStage();
    const modify = (change: string): void => slapd.modify(`dn: ${READER}\nchangetype: ${change}\n`);
    modify('add\nobjectClass: person\ncn: reader\nsn: x\nuserPassword: new');
    stage.setSource(source('email: mail', [READER, 'old']));
    // Each is a process of its own, as in a CronJob.
    const waits = async (verb: string): Promise<boolean> =>
      (await stage.type(verb)).out.includes('is not sent again before');
    expect([await waits('sync'), await waits('sync')]).toEqual([false, true]);
    modify('modify\nreplace: userPassword\nuserPassword: old');
    expect([await waits('sync'), await waits('check'), await waits('sync')]).toEqual([true, false, false]);
  });
});

test('a set of keys forgets none and invents none', () => {
  const keys = new KeySet();
  const texts = Array.from({ length: 5_000 }, (_, index) => `id ${index}`);
  expect(texts.filter((text) => !keys.add(text))).toEqual([]);
  expect(texts.filter((text) => keys.add(text) || !keys.has(text))).toEqual([]);
  expect([keys.has('id 5000'), keys.size]).toEqual([false, 5_000]);
});
