import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../servers/daemon.ts';
import { openStage } from './command-line.ts';
import { configured, expectStory, type Step } from './story.ts';

const file = (name: string, text: string): Step => [
  `the file ${name}`,
  ({ folder }) => writeFileSync(join(folder, name), text),
];
const folder = (name: string): Step => [`the folder ${name}`, (stage) => mkdirSync(join(stage.folder, name))];
const link = (name: string, to: string): Step => [
  `the link ${name} to ${to}`,
  (stage) => symlinkSync(to, join(stage.folder, name)),
];
const each = (verb: string, ...ends: readonly string[]): readonly Step[] =>
  ends.map((end) => `${verb} ${end}`.trim());
const DOWN: Step = [
  'nothing listens at the address of the service',
  async (stage) => stage.configure([stage.sandbox.baseUrl, `http://127.0.0.1:${await freePort()}`]),
];
const NO_CONFIGURATION: Step = ['there is no configuration', ({ configFile }) => rmSync(configFile)];
const callback = (key: string): string =>
  `approvals: { callback: { token: t, key: ${key}, applicationId: a }, approvers: [lin] }\nlog:`;
const PHONE_KEY = 'sandboxsandboxsandboxsandboxsandboxsandbox0';

/** Everything that is refused: with one sentence that names place and remedy, and nothing is sent. */
const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'words of the command line': [
    'synk',
    ...each(
      'sync',
      '--fulll',
      '--dry-run',
      '--wait long',
      '--only ada --only bob',
      '--approve 11111111 --approve 22222222 --full --full',
    ),
    'plan too many',
    'plan --html plan.html --json',
    'revert --only ada --only=bob',
    ...each('history', '--unit a --json --unit b', '--person nobody', '--person a --unit b', '--since soon'),
    'backup',
    '--config none.yaml --config rollcall.yaml history --unit ann',
    NO_CONFIGURATION,
    '--config none.yaml sync',
    'plan',
  ],
  'the configuration': [
    configured(['requestsPerSecond: 1000', 'requestsPerSecnd: fast'], ['type: sql', 'type: sqll']),
    ...each('', 'sync', 'plan'),
    configured(['log:', 'notify: { to: {} }\nlog:']),
    'sync',
    configured(['log:', 'notify: { to: { usernames: [a] }, on: [everything] }\nlog:']),
    'sync',
    configured(['log:', callback(PHONE_KEY)]),
    'sync',
    configured(['log:', `http: {}\n${callback('short')}`]),
    'sync',
    configured(['log:', `http: {}\n${callback(PHONE_KEY).replace('[lin]', '[]')}`]),
    'sync',
  ],
  'the database': [
    configured(['select * from department', 'select * frm department']),
    ...each('', 'sync', 'plan'),
    configured(['select * from assignment', 'select * from nonsuch']),
    'plan',
    configured(['name: full_name', 'name: fullname']),
    'plan',
    configured(['sqlite:hr.db', 'sqlite:none.db']),
    'plan',
    configured(['select * from employee', 'delete from employee']),
    ...each('', 'sync', 'plan'),
  ],
  'the service': [configured(['token: ${TOKEN}', 'token: wrong']), ...each('', 'sync', 'plan'), DOWN, 'plan'],
  'a ledger that cannot be written': [file('state', 'a file where the folder should be'), 'sync'],
  'a ledger that is damaged': [
    folder('state'),
    file(
      'state/rollcall.db',
      'no SQLite file at all, but long enough to have a header of its own'.repeat(100),
    ),
    ...each('', 'sync', 'plan', 'status', 'backup copy.db'),
  ],
  'a ledger of another organization': [
    'sync',
    configured(['domainId: sandbox', 'domainId: other']),
    ...each('', 'sync', 'plan', 'status'),
  ],
  'before the first run': [
    'history',
    'history --person ann',
    'revert x',
    'revert',
    'status',
    'status --health',
  ],
  'places of a page': [
    link('link', 'old.page'),
    ...each('plan --html', 'none/plan.html', '/dev/null', 'link', './rollcall.yaml'),
  ],
  'places of a backup': [
    'backup copy.db',
    'sync',
    file('kept', 'kept'),
    folder('folder'),
    link('link', 'nowhere'),
    link('linked', 'state'),
    ...each('backup', 'kept', 'none/copy.db', 'kept/copy.db', 'x'.repeat(300), 'folder', 'link'),
    ...each('backup state/rollcall.db', '-journal', '.heartbeat').map((words) =>
      String(words).replace('db ', 'db'),
    ),
    'backup linked/rollcall.db-wal',
  ],
};

test.each(Object.entries(STORIES))('refused: %s', async (name, steps) => {
  const stage = await openStage();
  const text = await expectStory(`refused ${name}`, stage, steps);
  expect(text).not.toMatch(/\n {4}at |node:internal|unexpected error/u);
  expect(text).not.toContain(stage.sandbox.token);
});

const CALLS: Readonly<Record<string, readonly Step[]>> = {
  'operations and parameters': [
    ...each(
      'call',
      '',
      'listEmploye',
      'getEmployee --param employeid=1',
      'getEmployee --param employeeId',
      'getEmployee --param employeeId=1 --param employeeId=2',
      'getEmployee',
      'deleteOrganization --param id=tree --write',
    ),
  ],
  bodies: [
    file('node.json', '{"nam":"x"}'),
    file('empty', ' '),
    file('twice', '{"name":"x","sn":"1","na\\u006de":"y"}'),
    file('deep', `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    file('open', '{"name":"hunter-2"'),
    [
      'the file gbk',
      (stage) =>
        writeFileSync(join(stage.folder, 'gbk'), Buffer.from('7b226e616d65223a22d1d0b7a2b2bf227d', 'hex')),
    ],
    file('a.txt', 'content'),
    'call pageUsers --body x.json',
    'call createOrganization --body node.json',
    ...each(
      'call modifyOrganization --param id=1 --write --body',
      'x.json',
      'rollcall.yaml',
      'empty',
      'node.json',
      'gbk',
      'twice',
      'deep',
      'open',
    ),
    'call uploadFileForm --write --body -',
    ...each(
      'call uploadFileForm --write --body a.txt --param',
      'file_size=8',
      `file_digest=${'a'.repeat(32)}`,
    ),
  ],
  'places of an answer': [
    folder('folder'),
    'call downloadFile --param media_id=1',
    ...each(
      'call pageUsers --out',
      'no/such/file',
      '-',
      'state/rollcall.db-wal',
      '/dev/null',
      'folder',
      'n'.repeat(250),
      '/proc/x',
    ),
    ['call', 'pageUsers', '--out', ''],
  ],
};

test.each(Object.entries(CALLS))('call refuses %s, and asks the service nothing', async (name, steps) => {
  const stage = await openStage();
  const text = await expectStory(`call refuses ${name}`, stage, steps);
  expect(text).not.toMatch(/hunter|\n {4}at /u);
  expect(stage.sandbox.calls).toEqual([]);
});

test('a file that the configuration names is written over by nobody', async () => {
  const stage = await openStage();
  symlinkSync('.', join(stage.folder, 'linked'));
  writeFileSync(join(stage.folder, 'cities.csv'), 'site,city\n1,Rome\n');
  writeFileSync(join(stage.folder, 'token'), stage.sandbox.token);
  stage.configure(
    ['token: ${TOKEN}', 'token: ${file:token}'],
    ['email: email', `city: { expr: "lookup('cities', emp_no, '')" }`],
    ['log:', 'lookups: { cities: { file: cities.csv, key: site, value: city } }\nlog:'],
  );
  expect((await stage.type('sync')).code).toBe(0);
  const read = (name: string): Buffer => readFileSync(join(stage.folder, name));
  const before = ['token', 'hr.db', 'cities.csv', 'rollcall.yaml', 'state/rollcall.db'].map(read);
  const names = ['token', 'hr.db', 'cities.csv', 'linked/token', 'linked/rollcall.yaml'];
  for (const beside of ['-wal', '.key', '.heartbeat']) names.push(`linked/state/rollcall.db${beside}`);
  for (const name of names)
    for (const verb of ['plan --html', 'call organizationInfo --out', 'backup'])
      expect((await stage.type(...verb.split(' '), name)).code, `${verb} ${name}`).toBe(2);
  expect(['token', 'hr.db', 'cities.csv', 'rollcall.yaml', 'state/rollcall.db'].map(read)).toEqual(before);
});

test('nor is one that is still to come', async () => {
  const stage = await openStage();
  stage.setSource(`source:
  type: csv
  complete: { doneFile: export.done }
  units: { file: u.csv, fields: { id: id, name: name } }
  people: { file: p.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }
`);
  const steps = ['export.done', 'linked/export.done'].flatMap((name) =>
    each('', `plan --html ${name}`, `call organizationInfo --out ${name}`, `backup ${name}`),
  );
  await expectStory('refused a file that is still to come', stage, [link('linked', '.'), ...steps]);
});
