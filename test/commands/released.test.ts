import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../readme/page.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { openStage, type Stage, type Typed } from './command-line.ts';

/** What each release left: configuration, HR database, ledger and service. They are kept, and no later one changes them. */
const RELEASES = join(ROOT, 'test/ledger/released');
const { version: OWN } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const PEOPLE = Array.from({ length: 24 }, (_, n) => ({
  id: `e${n}`,
  unit: n < 3 ? 'd1' : n < 14 ? 'd2' : 'd3',
}));
const TABLES = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Harbour Instruments'), ('d2', 'd1', 'Leipzig Plant'), ('d3', 'd1', '研发部');`;
const HIRED = PEOPLE.map(
  ({
    id,
    unit,
  }) => `insert into employee values ('${id}', 'user.${id}', 'User ${id}', '${id}@example.com', 'active');
  insert into assignment values ('${id}', '${unit}', 'Engineer', 1);`,
).join('\n');
const leave = (from: number, to: number): string =>
  `update employee set status = 'left' where cast(substr(emp_no, 2) as integer) between ${from} and ${to};`;

/** What happens before a release is kept: each kind of thing that a ledger remembers. */
const STORY = [
  TABLES + HIRED,
  `update employee set full_name = '林美', email = null where emp_no = 'e1';
   update department set name = 'Research 研发部' where id = 'd3';
   update assignment set dept_id = 'd3', title = 'Lead' where emp_no = 'e4';`,
  leave(5, 12),
  `insert into employee values ('x', 'bad.unit', 'Bad Unit', null, 'active');
   insert into assignment values ('x', 'nowhere', null, 1);
   delete from employee where emp_no = 'e2';` + leave(14, 20),
] as const;
/** Their leavers are approved; those of the last one wait. */
const APPROVED = 2;

async function approve(stage: Stage): Promise<Typed> {
  const { out } = await stage.type('plan');
  const { hash = '' } = /--approve (?<hash>[0-9a-f]{12})/u.exec(out)?.groups ?? {};
  return stage.type('sync', '--approve', hash);
}

/** Keeps what this version leaves, in a folder named after it. */
async function keepRelease(): Promise<void> {
  const folder = join(RELEASES, OWN);
  const data = join(scratchFolder('release'), 'service.db');
  const stage = await openStage({ hr: '', sandbox: { data } });
  for (const [at, sql] of STORY.entries()) {
    stage.hr(sql);
    await stage.type('sync');
    if (at === APPROVED) await approve(stage);
  }
  expect((await stage.type('backup', 'ledger.db')).code).toBe(0);
  await stage.sandbox.close();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of [data, join(stage.folder, 'ledger.db'), join(stage.folder, 'hr.db')])
    writeFileSync(join(folder, `${basename(file)}.gz`), gzipSync(readFileSync(file)));
  const configuration = readFileSync(stage.configFile, 'utf8').replace(stage.sandbox.baseUrl, '${BASE_URL}');
  writeFileSync(join(folder, 'rollcall.yaml'), configuration);
  removeFolder(dirname(data));
}

/** What a release left, to be gone on with by the program of today. */
async function openRelease(release: string): Promise<Stage> {
  const data = scratchFolder('released');
  onTestFinished(() => removeFolder(data));
  const unpack = (name: string, to: string): void =>
    writeFileSync(to, gunzipSync(readFileSync(join(RELEASES, release, `${name}.gz`))), { mode: 0o600 });
  unpack('service.db', join(data, 'service.db'));
  const stage = await openStage({ hr: '', sandbox: { data: join(data, 'service.db') } });
  mkdirSync(dirname(stage.ledgerFile));
  unpack('ledger.db', stage.ledgerFile);
  unpack('hr.db', join(stage.folder, 'hr.db'));
  copyFileSync(join(RELEASES, release, 'rollcall.yaml'), stage.configFile);
  stage.setEnv({ BASE_URL: stage.sandbox.baseUrl });
  return stage;
}

test('a ledger of this version is kept', async () => {
  if (process.env['UPDATE'] === '1') await keepRelease();
  expect(readdirSync(RELEASES)).toContain(OWN);
});

test.each([...new Set([OWN, ...readdirSync(RELEASES)])])(
  'the ledger of %s is read and gone on with',
  async (release) => {
    const stage = await openRelease(release);
    const locked = (): number => stage.sandbox.state.employees().filter((one) => one.locked).length;
    expect(locked()).toBe(8);
    const status = await stage.type('status');
    expect([status.code, status.err, status.out]).toEqual([0, '', expect.stringContaining('user.e14')]);
    expect((await stage.type('history')).out).toContain('林美');
    expect(await stage.type('explain', 'user.e4')).toMatchObject({ code: 0, err: '' });
    expect(stage.changing()).toEqual([]);
    stage.passTime();
    const first = await stage.type('sync');
    expect([first.code, stage.changing(), locked()]).toEqual([3, [], 8]);
    const second = await approve(stage);
    expect([second.code, locked()]).toEqual([4, 16]);
    stage.changing();
    expect([(await stage.type('sync', '--full')).code, stage.changing()]).toEqual([4, []]);
  },
);
