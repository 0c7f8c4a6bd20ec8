import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeySet } from '../../src/lib/digest.ts';
import { hasServer } from '../servers/install.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { BASE, worldLdif } from '../source/ldap-world.ts';
import { HR, loadedStage, openStage, until } from './command-line.ts';

/** What is marked, in the order of the parts. */
function marks(out: string): Readonly<Record<string, string>> {
  const found = [...out.matchAll(/^(ok|WARN|FAIL) +(config|source|service|ledger|messages) /gmu)];
  return Object.fromEntries(found.map(([, mark = '', part = '']) => [part, mark]));
}

const ALL_OK = { config: 'ok', source: 'ok', service: 'ok', ledger: 'ok' };

describe('check of a sound company', () => {
  test('counts units, people and positions, and changes nothing', async () => {
    const stage = await openStage();
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([0, ALL_OK]);
    expect(out).toContain('sqlite:hr.db: 3 units, 3 people, 4 positions');
    // The verdict, a line for each part, then the details.
    expect(out).toMatch(/^Everything works\.\n\nok +config .*\n(?:ok .*\n){3}\nsource\n/u);
    expect(out).toContain('for example: ann (Ann) in Company / "Head", email ann@example.com');
    expect(out).toMatch(/rollcall plan shows what a run would do\.\n$/u);
    expect(stage.changing()).toEqual([]);
    expect(existsSync(stage.ledgerFile)).toBe(false);
  });

  test('says the same for machines', async () => {
    const { code, out } = await (await openStage({ hr: BAD })).type('check', '--json');
    const { exitCode, parts } = JSON.parse(out) as {
      readonly exitCode: number;
      readonly parts: readonly object[];
    };
    expect([code, exitCode]).toEqual([4, 4]);
    expect(parts).toMatchObject([
      { name: 'config', verdict: 'ok' },
      {
        name: 'source',
        verdict: 'look',
        lines: expect.arrayContaining([expect.stringContaining('hal (Hal)')]),
      },
      { name: 'service', verdict: 'ok' },
      { name: 'ledger', verdict: 'ok' },
    ]);
  });

  test('leaves a ledger as it is, and says what it knows', async () => {
    const stage = await loadedStage();
    stage.changing();
    const digest = (): string => createHash('sha256').update(readFileSync(stage.ledgerFile)).digest('hex');
    const before = digest();
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([0, ALL_OK]);
    expect(out).toMatch(/^ledger\n +the source is the one it knows\n +3 units and 3 people managed/mu);
    expect([digest(), stage.changing()]).toEqual([before, []]);
  });

  test('says when the source is another than the one of the ledger', async () => {
    const stage = await loadedStage();
    stage.configure(['id: emp_no', 'id: login']);
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['ledger']]).toEqual([4, 'WARN']);
    expect(out).toMatch(/! the source changed since the last run/u);
  });
});

test('check names known ends that records have and no rule reads, of people and of positions', async () => {
  const stage = await openStage({
    hr: `${HR} alter table employee add column exit_date text; alter table assignment add column to_date text;
      alter table employee add column deleted text; update employee set deleted = 'no';
      update assignment set to_date = '9999-12-31'`,
  });
  expect((await stage.type('check')).code).toBe(0);
  stage.hr(`update employee set exit_date = '2020-01-31' where emp_no = '3';
    update assignment set to_date = '2019-12-31' where dept_id = 'd3'`);
  const { code, out } = await stage.type('check');
  expect([code, marks(out)['source']]).toEqual([4, 'WARN']);
  expect(out.match(/source\.\S+ has \S+, which .*/gu)).toEqual([
    expect.stringMatching(/^source\.people has exit_date, .*: use it in source\.people\.fields\.active$/u),
    expect.stringMatching(/^source\.positions has to_date, .*: use it in source\.positions\.fields\.unit$/u),
  ]);
  stage.configure(
    ["status != 'left'", "exit_date == ''"],
    ['select * from assignment', "select * from assignment where to_date > '2026-01-01'"],
  );
  expect((await stage.type('check')).out).not.toMatch(/no rule reads it/u);
});

test('check and a run take an export that has its header alone', async () => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'p.csv'), 'id,login,name,unit\n');
  writeFileSync(join(stage.folder, 'u.csv'), 'id,name\n1,Lab\n');
  stage.setSource(`source:
  type: csv
  complete: { maxAgeHours: 26 }
  units: { file: u.csv, fields: { id: id, name: name } }
  people: { file: p.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }
`);
  const { code, out } = await stage.type('check');
  expect([code, out]).toEqual([4, expect.stringMatching(/! source\.people has no record: .*check/u)]);
  expect([(await stage.type('sync')).code, stage.changing()]).toEqual([0, ['importOrganizations']]);
});

test('check counts nobody as without a unit for rows of people whose records cannot be used', async () => {
  const stage = await openStage();
  stage.hr(`insert into employee values ('5', null, 'No login', null, 'active'), ('6', null, 'None', null, 'active');
    insert into assignment values ('5', 'd1', null, 1), ('6', 'd1', null, 1)`);
  expect((await stage.type('check')).out).not.toContain('has no position');
  stage.hr(`insert into employee values ('9', 'hal', 'Hal', null, 'active')`);
  expect((await stage.type('check')).out).toContain('hal (Hal): has no unit');
});

const BAD = `${HR}
  insert into department values ('d4', 'nowhere', 'Lost'), ('d5', 'd4', 'Lost too');
  insert into employee values ('4', 'ANN', 'Ann B', null, 'active'), ('4', 'dan', 'Dan', null, 'active'),
    ('5', null, 'No login', null, 'active'), ('6', 'eve', 'Eve', null, 'active'),
    ('7', 'fay', 'Fay', null, 'active'), ('8', 'gus', 'Gus', null, 'left'), ('9', 'hal', 'Hal', null, 'active');
  insert into assignment values ('4', 'd1', null, 1), ('6', 'old', null, 1), ('7', 'd4', null, 1),
    ('8', 'old', null, 1), ('gone', 'd1', null, 1), ('5', 'd1', null, 1);
`;

const NAMED: readonly (readonly [what: string, words: RegExp])[] = [
  [
    'a record without username, and how to leave it out',
    /person 5: username: is empty.*: give it one, or leave such records out by the query, with where login is not null/u,
  ],
  [
    'a username that two share, in another case',
    /ANN \(Ann B\): username: several records share the username ANN/u,
  ],
  ['an id that two share', /ANN \(Ann B\): id: several records share this id/u],
  ['the parent by its value', /unit Lost: its parent "nowhere" is no unit of the source/u],
  ['what is below', /unit Lost too: it hangs below Lost, which cannot be placed/u],
  ['a name that no unit has', /person eve \(Eve\): unit "old" is unknown/u],
  ['a unit that cannot be used', /person fay \(Fay\): unit Lost is skipped/u],
  ['somebody without any unit', /person hal \(Hal\): has no unit, and the service requires one: correct/u],
  ['who has left', /1 of the people have left/u],
];

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
  const stage = await openStage({ hr: BAD });
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

const MESSAGES = `notify: { to: { usernames: [lin, nobody] } }
http: {}
approvals:
  callback: { token: t, key: sandboxsandboxsandboxsandboxsandboxsandbox0, applicationId: roll }
  approvers: [bob, ghost]
log:`;

describe('check of a company with mistakes', () => {
  test('exits 4 where a field cannot be read of anybody, and says so', async () => {
    const stage = await openStage();
    stage.configure(['name: full_name,', 'name: full_name, birthday: full_name,']);
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([4, 'WARN']);
    expect(out).toMatch(
      /! person ann \(Ann\): birthday: .* is not a date .*; this value stays unchanged, the rest goes on/u,
    );
  });

  test('says who of those to be told is not there', async () => {
    const stage = await openStage();
    stage.configure(['log:', MESSAGES]);
    await stage.type('sync');
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['messages']]).toEqual([4, 'WARN']);
    expect(out).toMatch(/! nobody is no employee here: .*\n +! ghost is no employee here: /u);
    expect(out).not.toMatch(/! (?:lin|bob) is/u);
    expect(stage.sandbox.state.pushes()).toEqual([]);
  });

  test('exits 4, marks the source and names each of them', async () => {
    const stage = await openStage({ hr: BAD });
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([4, { ...ALL_OK, source: 'WARN' }]);
    expect(NAMED.filter(([, words]) => !words.test(out))).toEqual([]);
    expect(out).toMatch(/marked WARN.*rollcall plan/u);
  });

  test('is content with people at the root where sync.orphans says so', async () => {
    const more = `insert into employee values ('6', 'eve', 'Eve', null, 'active'), ('9', 'hal', 'Hal', null, 'active');
      insert into assignment values ('6', 'old', null, 1);`;
    const stage = await openStage({ hr: HR + more });
    stage.configure(['state:', 'sync: { orphans: root }\nstate:']);
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([0, ALL_OK]);
    expect(out).toContain('2 new or changed people name no known unit: to the root (sync.orphans)');
  });
});

describe('check of a source that cannot be used', () => {
  test('exits 1 where nobody maps', async () => {
    const stage = await openStage({ hr: `${HR} update employee set login = null;` });
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([1, 'FAIL']);
    expect(out).toMatch(/! no person could be mapped/u);
  });

  test('exits 1 where there is no unit and nobody is at the root', async () => {
    const stage = await openStage({ hr: `${HR} delete from department;` });
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([1, 'FAIL']);
    expect(out).toMatch(/! no unit could be mapped, and no person is at the root/u);
  });

  test('exits 4 where nobody has what says who has left any more', async () => {
    const stage = await loadedStage();
    stage.hr("update employee set status = 'left' where login <> 'ann'");
    expect((await stage.type('sync')).code).toBe(0);
    stage.hr('update employee set status = null');
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([4, 'WARN']);
    expect(out.replaceAll(/\s+/gu, ' ')).toContain(
      '! 2 records would change only because of missing values (status): can the reading account still read it, and is the export right?',
    );
  });

  test('counts managed people who are missing in its read', async () => {
    const stage = await loadedStage();
    stage.hr("delete from assignment where emp_no = '1'; delete from employee where emp_no = '1'");
    const { code, out } = await stage.type('check');
    expect(code).toBe(0);
    expect(out).toContain('1 managed person is missing in this read: rollcall plan');
  });

  test('exits 4 whichever guard would hold', async () => {
    const stage = await loadedStage();
    stage.hr("update employee set status = 'left'");
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([4, 'WARN']);
    expect(out).toMatch(/! a run would hold \d+ changes?: rollcall plan/u);
  });

  test('exits 1 where the query for positions has no row, as a run would', async () => {
    const stage = await loadedStage();
    stage.hr('delete from assignment');
    const { code, out } = await stage.type('check');
    expect([code, marks(out)['source']]).toEqual([1, 'FAIL']);
    expect(out).toContain('! source: the read brought no row of source.positions');
  });

  test('goes on where one part fails, and says which; another organization’s ledger is exit 2', async () => {
    const stage = await loadedStage();
    stage.configure(['token: ${TOKEN}', 'token: wrong']);
    const refused = await stage.type('check');
    expect([refused.code, marks(refused.out)]).toEqual([1, { ...ALL_OK, service: 'FAIL' }]);
    expect(refused.out).toMatch(/^FAIL +service .*10011/mu);
    const db = new Database(stage.ledgerFile);
    db.exec(`update fact set value = '"another/organization"' where name = 'binding'`);
    db.close();
    stage.configure();
    const bound = await stage.type('check');
    expect([bound.code, marks(bound.out)['ledger']]).toEqual([2, 'FAIL']);
  });

  test('ends at a signal, before the rest', async () => {
    const stage = await openStage({ hr: crowd(200_000) });
    const running = stage.start('check');
    const files = `/proc/${running.child.pid}/fd`;
    const isReading = (): boolean =>
      readdirSync(files).some((file) => linkOf(join(files, file)).endsWith('hr.db'));
    await until(isReading, 'the check to begin');
    running.child.kill('SIGTERM');
    const { code, out } = await running.ended;
    expect([code, Object.keys(marks(out)).includes('ledger')]).toEqual([1, false]);
  });
});

/** A file may be closed at any moment. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function crowd(people: number): string {
  return `${HR}
    with recursive n(i) as (select 10 union all select i + 1 from n where i < ${people + 9})
      insert into employee select i, 'user' || i, 'Name ' || i, null, 'active' from n;
    insert into assignment select emp_no, 'old' || (emp_no % 500), null, 1 from employee where length(emp_no) > 1;`;
}

test('stays short and in little memory for a large company', async () => {
  const stage = await openStage({ hr: crowd(100_000) });
  stage.setEnv({ NODE_OPTIONS: '--max-old-space-size=96' });
  const { code, out } = await stage.type('check');
  expect(code).toBe(4);
  expect(out).toContain('Skipped or waiting: 100000 people');
  expect(out).toMatch(
    /! 200 people: unit "old\d+" is unknown\n +user\d+ \(Name \d+\), .* and 190 more \(rollcall plan --all lists them\)/u,
  );
  expect(out).toMatch(/… and \d+ more lines: rollcall plan/u);
  expect(out.split('\n').length).toBeLessThan(270);
});

const ldap = (slapd: Slapd, fields: string): string => `source:
  type: ldap
  url: ${slapd.url}
  bindDn: ${slapd.bindDn}
  bindPassword: ${slapd.password}
  units:
    base: ${BASE}
    filter: (objectClass=organizationalUnit)
    fields: { id: businessCategory, refs: [dn, businessCategory], name: description }
  people:
    base: ${BASE}
    filter: (&(objectClass=inetOrgPerson)(uid=crowd1*))
    fields: { id: employeeNumber, username: uid, name: displayName, ${fields}, positions: [{ unit: parentDn }] }
`;

const READER = `cn=reader,${BASE}`;

describe.skipIf(!hasServer('slapd'))('check of a directory', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd({ ldif: worldLdif() });
  });
  afterAll(() => slapd.stop());

  test('names those that the directory does not know, exit 4', async () => {
    const stage = await openStage();
    stage.setSource(ldap(slapd, 'email: mial'));
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([4, { ...ALL_OK, source: 'WARN' }]);
    expect(out).toContain('mial (source.people.fields.email): did you mean mail?');
    expect((await stage.type('plan')).out).toContain('mial (source.people.fields.email): did you mean mail?');
  });

  test('names those that no entry has, exit 4, but not where only a default reads them', async () => {
    const stage = await openStage();
    stage.setSource(ldap(slapd, 'mobile: pager, email: mail'));
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([4, { ...ALL_OK, source: 'WARN' }]);
    expect(out.match(/no record has \w+/gu)).toEqual(['no record has pager']);
    expect(out).toContain('! source.people.fields.mobile: ');
  });

  test('tries a refused password again at once, and ends the pause that the ledger keeps for sync', async () => {
    const stage = await openStage();
    const written = ldap(slapd, 'email: mail');
    const setInDirectory = (password: string): void =>
      slapd.modify(`dn: ${READER}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${password}\n`);
    slapd.modify(
      `dn: ${READER}\nchangetype: add\nobjectClass: person\ncn: reader\nsn: x\nuserPassword: new\n`,
    );
    stage.setSource(
      written
        .replace(`bindDn: ${slapd.bindDn}`, `bindDn: ${READER}`)
        .replace(`bindPassword: ${slapd.password}`, 'bindPassword: old'),
    );
    const early = 'The same password is not sent again before';
    const runs: boolean[] = [];
    // Each is a process of its own, as in a CronJob.
    for (let run = 0; run < 3; run += 1) {
      const { code, out } = await stage.type('sync');
      expect(code).toBe(1);
      runs.push(out.includes(early));
    }
    expect(runs).toEqual([false, true, true]);
    setInDirectory('old');
    expect((await stage.type('sync')).out).toContain(early);
    expect((await stage.type('check')).out).not.toContain(early);
    expect((await stage.type('sync')).out).not.toContain(early);
  });

  test.each([
    ["employeType != 'left'", 'employeType (source.people.fields.active): did you mean employeeType'],
    ['employeeType != lefd', "lefd (source.people.fields.active): did you mean ref, or the text 'lefd'?"],
  ])('exits 1 where nobody can be used: active is %s', async (expr, words) => {
    const stage = await openStage();
    stage.setSource(ldap(slapd, `active: { expr: "${expr}" }`));
    const { code, out } = await stage.type('check');
    expect([code, marks(out)]).toEqual([1, { ...ALL_OK, source: 'FAIL' }]);
    expect(out).toContain('! no person can be used: correct what the lines below name');
    expect(out.replaceAll(/\s+/gu, ' ')).toContain(words);
  });
});

test('a set of keys forgets none and invents none', () => {
  const keys = new KeySet();
  const texts = Array.from({ length: 5_000 }, (_, index) => `id ${index}`);
  expect(texts.filter((text) => !keys.add(text))).toEqual([]);
  expect(texts.filter((text) => keys.add(text) || !keys.has(text))).toEqual([]);
  expect([keys.has('id 5000'), keys.size]).toEqual([false, 5_000]);
});
