import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage, type Typed } from '../commands/command-line.ts';

const CANARIES = ['password', 'credentials', 'identifier', 'idcard'].map((name) => `canary-${name}-7531`);
const TOKEN = 'canary-token-7531';

const PEOPLE = `
  create table secret (emp_no text, pw text, cred text, ident text, idc text);
  insert into secret select emp_no, 'canary-password-7531', 'canary-credentials-7531', 'canary-identifier-7531',
    'canary-idcard-7531' from employee;
`;

const SOURCE = `source:
  type: sql
  url: sqlite:hr.db
  units: { query: select * from department, fields: { id: id, parent: parent_id, name: name } }
  people:
    query: select * from employee join secret using (emp_no)
    fields:
      { id: emp_no, username: login, name: full_name, password: pw, source_credentials: cred, id_card: idc,
        source_identifiers: { sso: ident }, active: { expr: "status != 'left'" } }
  positions:
    query: select * from assignment
    fields: { person: emp_no, unit: dept_id, job_title: title, primary: is_primary }
`;

/** Every file of the folder, and what lies in the bytes of the ledger while a call is in flight. */
function expectNoneOnDisk({ folder }: Stage): readonly string[] {
  const state = join(folder, 'state');
  const names = readdirSync(state);
  for (const name of names) {
    const bytes = readFileSync(join(state, name)).toString('latin1');
    for (const canary of [...CANARIES, TOKEN]) expect([name, bytes.includes(canary)]).toEqual([name, false]);
    expect([name, statSync(join(state, name)).mode & 0o077]).toEqual([name, 0]);
  }
  return names;
}

function expectNoneIn({ out, err }: Typed): void {
  for (const canary of [...CANARIES, TOKEN]) expect(out + err).not.toContain(canary);
}

test('no secret is in a log, an error, a plan, a status, an explanation, a check or a file, during a run and after it', async () => {
  const stage = await openStage({ sandbox: { token: TOKEN } });
  stage.hr(PEOPLE);
  stage.setSource(SOURCE);
  stage.setEnv({ LEVEL: 'trace' });
  const inFlight: (readonly string[])[] = [];
  const bodies: string[] = [];
  stage.sandbox.onCall = ({ operation }, body) => {
    if (operation !== 'importEmployees') return;
    bodies.push(body);
    inFlight.push(expectNoneOnDisk(stage));
  };
  for (const verb of [['plan'], ['plan', '--json'], ['check']]) {
    const typed = await stage.type(...verb);
    expect(typed.code).toBe(0);
    expectNoneIn(typed);
  }
  const first = await stage.type('sync');
  expect(first.code).toBe(0);
  expectNoneIn(first);
  for (const canary of CANARIES) expect(bodies.join('')).toContain(canary);
  expect(inFlight.flat()).toContain('rollcall.db.staging');
  expect(expectNoneOnDisk(stage)).toEqual(['rollcall.db', 'rollcall.db.key']);
  const looks = [
    ['status', '--json', '--unmanaged'],
    ['explain', 'ann'],
    ['explain', 'ann', '--live', '--json'],
  ];
  for (const verb of [['sync'], ['sync', '--full'], ...looks, ['explain', 'ann', '--live']]) {
    const typed = await stage.type(...verb);
    expect(typed.code).toBe(0);
    expectNoneIn(typed);
  }
  expect(bodies).toHaveLength(1);
});

test('a record that fails shows no secret in log, status or plan', async () => {
  const stage = await openStage({ sandbox: { token: TOKEN } });
  stage.hr(PEOPLE);
  stage.setSource(SOURCE.replace('name: full_name, ', 'name: full_name, birthday: full_name, '));
  const ran = await stage.type('sync');
  expect(ran.code).toBe(4);
  const explained = await stage.type('explain', 'ann', '--live');
  expect(explained.out).toContain(' active: birthday: ');
  for (const typed of [ran, explained, await stage.type('status'), await stage.type('plan', '--all')]) {
    expectNoneIn(typed);
  }
});

test('a secret that changed is sent, though its value is nowhere; passwords go out on creation only', async () => {
  const stage = await openStage();
  stage.hr(PEOPLE);
  stage.setSource(SOURCE);
  await stage.type('sync');
  const bodies: string[] = [];
  stage.sandbox.onCall = ({ operation }, body) => void (operation === 'importEmployees' && bodies.push(body));
  stage.hr(`update secret set ident = 'canary-new-7531', pw = 'canary-new-password' where emp_no = '1'`);
  const plan = await stage.type('plan', '--json');
  expect(plan.out).toContain('secret');
  expect(plan.out).not.toContain('canary');
  expect((await stage.type('sync')).code).toBe(0);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain('canary-new-7531');
  expect(bodies[0]).not.toContain('password');
  stage.hr(`update secret set pw = 'canary-newer-password', cred = 'canary-newer'`);
  await stage.type('sync');
  expect(bodies).toHaveLength(1);
});
