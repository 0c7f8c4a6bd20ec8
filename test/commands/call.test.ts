import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../src/interface/operations/operations.ts';
import { openStage, type Stage } from './command-line.ts';

const NODE = (parent: string): string => JSON.stringify({ type: 'DEPT', name: 'By hand', parent_id: parent });

test('lists all operations, and explains each, without a configuration', async () => {
  const stage = await openStage();
  writeFileSync(stage.configFile, 'nothing: right');
  const list = await stage.type('call', '--list');
  expect(list.code).toBe(0);
  const names = list.out.split('\n').flatMap((line) => /^ {2}(\w+) /u.exec(line)?.[1] ?? []);
  expect(names).toEqual(OPERATION_NAMES);
  const help = await stage.type('call', 'pushMessage', '--help');
  expect([help.code, help.out.split('\n')[0]]).toEqual([
    0,
    'Usage: rollcall call pushMessage [--param NAME=VALUE …] --body FILE|- [--out FILE] --write',
  ]);
  expect(help.out).toMatch(/ {2}for_all +true or false, default false\n/u);
  expect(help.out).toContain('scopes with `direct`: refused before anything is sent');
  expect((await stage.type('call', '--help')).out).toMatch(/OPERATION --help.*--config FILE/su);
});

test('reads, with every digit of an id, and writes the answer to a file', async () => {
  const stage = await openStage();
  const { rootId } = stage.sandbox;
  const shown = await stage.type('call', 'getOrganization', '--param', `id=${rootId}`);
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect(JSON.parse(shown.out)).toMatchObject({ id: rootId, type: 'CORP' });
  const file = join(stage.folder, 'root.json');
  const saved = await stage.type('call', 'getOrganization', '--param', `id=${rootId}`, '--out', file);
  expect([saved.code, saved.out, readFileSync(file, 'utf8')]).toEqual([0, '', shown.out]);
});

test('changes something with --write alone, and tells what the ledger will make of it', async () => {
  const stage = await openStage();
  const body = join(stage.folder, 'node.json');
  writeFileSync(body, JSON.stringify({ type: 'DEPT', name: 'By hand', parent_id: stage.sandbox.rootId }));
  const without = await stage.type('call', 'createOrganization', '--body', body);
  expect(without.code).toBe(2);
  expect(without.err).toContain('give --write to send it. Nothing was sent.');
  expect(stage.changing()).toEqual([]);
  const done = await stage.type('call', 'createOrganization', '--body', body, '--write');
  expect(done.code).toBe(0);
  expect(done.err).toContain("rollcall's ledger will see the change as somebody's edit");
  expect(stage.changing()).toEqual(['createOrganization']);
  const deeper = await stage.type('call', 'deleteOrganization', '--param', 'id=1', '--write');
  expect([deeper.code, deeper.out]).toEqual([1, '']);
  expect(deeper.err).toContain('no matching organization (status 208502)');
});

test.each([
  [['listEmploye'], 'there is no operation listEmploye. Did you mean listEmployees?'],
  [
    ['getEmployee', '--param', 'employeid=1'],
    'no parameter employeid. Did you mean employeeId? It takes code, employeeId.',
  ],
  [['getEmployee', '--param', 'employeeId'], '--param employeeId: expected NAME=VALUE.'],
  [
    ['getEmployee', '--param', 'employeeId=1', '--param', 'employeeId=2'],
    '--param employeeId is given twice.',
  ],
  [['getEmployee'], 'getEmployee was not sent:\n  path employeeId is required'],
  [['deleteOrganization', '--param', 'id=tree', '--write'], 'would ask another operation'],
  [['pageUsers', '--body', 'x.json'], 'pageUsers takes no body: leave --body out.'],
  [
    ['modifyOrganization', '--param', 'id=1', '--write', '--body', 'x.json'],
    '--body x.json cannot be read: there is no such file or folder.',
  ],
  [
    ['modifyOrganization', '--param', 'id=1', '--write', '--body', 'rollcall.yaml'],
    '--body: rollcall.yaml is no JSON',
  ],
  [
    ['modifyOrganization', '--param', 'id=1', '--write', '--body', 'empty'],
    'empty is empty; JSON is expected.',
  ],
  [
    ['modifyOrganization', '--param', 'id=1', '--write', '--body', 'node.json'],
    '  body.nam is not in the interface',
  ],
  [
    ['uploadFileForm', '--write', '--body', '-'],
    'sends a file, whose size must be known: give its path instead of -.',
  ],
  [['downloadFile', '--param', 'media_id=1'], 'answer is no JSON: name a file for it'],
  [['pageUsers', '--out', 'no/such/file'], 'no/such/file cannot be saved: there is no folder no/such.'],
  [['pageUsers', '--out', '-'], 'The file - cannot be saved: an answer is shown where no file is named'],
  [['pageUsers', '--out', 'state/rollcall.db-wal'], 'this is the configuration or the ledger: name another'],
  [['pageUsers', '--out', '/dev/null'], 'The file /dev/null cannot be saved: it is no file.'],
  [[], 'which operation?'],
] as const)('%j is refused in one sentence, and nothing is sent', async (words, sentence) => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'node.json'), '{"nam":"x"}');
  writeFileSync(join(stage.folder, 'empty'), ' ');
  const typed = await stage.type('call', ...words);
  expect([typed.code, typed.out]).toEqual([2, '']);
  expect(typed.err).toContain(sentence);
  expect(stage.sandbox.calls).toEqual([]);
  expect(existsSync(join(stage.folder, 'no'))).toBe(false);
});

test.each([
  [['uploadFileForm', '--param', 'file_size=8'], 'query file_size is 8, and the file has 7 bytes'],
  [
    ['uploadFileForm', '--param', `file_digest=${'a'.repeat(32)}`],
    `query file_digest is ${'a'.repeat(32)}, and the MD5 of the file is `,
  ],
] as const)('%j says something else of the file than it is, and nothing is sent', async (words, sentence) => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'a.txt'), 'content');
  const typed = await stage.type('call', ...words, '--write', '--body', 'a.txt', '--out', 'x.json');
  expect([typed.code, typed.err]).toEqual([2, expect.stringContaining(sentence)]);
  expect(stage.sandbox.calls).toEqual([]);
});

test('a digest of another kind than MD5 is sent as it is given', async () => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'a.txt'), 'content');
  const params = ['--param', `file_digest=${'b'.repeat(64)}`];
  const typed = await stage.type('call', 'uploadFileForm', ...params, '--write', '--body', 'a.txt');
  expect([typed.code, typed.err]).toEqual([0, '']);
  expect(stage.sandbox.calls.at(-1)?.path).toContain(`file_digest=${'b'.repeat(64)}`);
});

/** 研发部 in GBK. */
const GBK = Buffer.from([0xd1, 0xd0, 0xb7, 0xa2, 0xb2, 0xbf]);
const UTF8_MARK = '\uFEFF';

test.each([
  ['in GBK', Buffer.concat([Buffer.from('{"name":"'), GBK, Buffer.from('"}')]), 'body is not UTF-8'],
  ['with a name twice', '{"name":"x","sn":"1","na\\u006de":"y"}', '"name" is given twice in one object.'],
  [
    'nested too deeply',
    `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    'nested deeper than 1000 levels',
  ],
  ['without an end', '{"name":"hunter-2"', 'unexpected end at 18.'],
])('a body %s is refused in one sentence, and nothing is sent', async (_, body, sentence) => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'body'), body);
  const words = ['call', 'modifyOrganization', '--param', 'id=1', '--write', '--body', 'body'];
  const typed = await stage.type(...words);
  expect([typed.code, typed.out]).toEqual([2, '']);
  expect(typed.err).toContain(sentence);
  expect(typed.err).not.toMatch(/hunter|\n {4}at /u);
  expect(stage.sandbox.calls).toEqual([]);
});

test('a body with a mark of UTF-8 is sent without it', async () => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'node.json'), UTF8_MARK + NODE(stage.sandbox.rootId));
  const typed = await stage.type('call', 'createOrganization', '--write', '--body', 'node.json');
  expect([typed.code, stage.changing()]).toEqual([0, ['createOrganization']]);
});

test.each([
  ['a folder', 'folder', 'is a folder'],
  ['nothing', '', 'a file is expected'],
  ['a name that is too long', 'n'.repeat(250), 'cannot be written: its name is too long.'],
  ['a place where nobody can write', '/proc/x', 'cannot be written'],
])('where the answer is to go to %s, nothing is sent', async (_, out, words) => {
  const stage = await openStage();
  mkdirSync(join(stage.folder, 'folder'));
  writeFileSync(join(stage.folder, 'node.json'), NODE(stage.sandbox.rootId));
  const typed = await stage.type(
    'call',
    'createOrganization',
    '--body',
    'node.json',
    '--write',
    '--out',
    out,
  );
  expect([typed.code, typed.out, typed.err]).toEqual([2, '', expect.stringContaining(words)]);
  expect(stage.sandbox.calls).toEqual([]);
});

test('an answer that does not come leaves no file', async () => {
  const stage = await openStage();
  const typed = await stage.type('call', 'getOrganization', '--param', 'id=1', '--out', 'answer.json');
  expect(typed.code).toBe(1);
  expect(readdirSync(stage.folder).filter((name) => name.startsWith('answer'))).toEqual([]);
});

test('an older service is asked by its own path', async () => {
  const stage = await openStage({ readings: ['lockOnly'] });
  stage.sandbox.edit.addEmployee({ username: 'x', name: 'X', positions: [{ org_id: stage.sandbox.rootId }] });
  const { id = '' } = stage.sandbox.state.employee('x') ?? {};
  const typed = await stage.type('call', 'disableEmployee', '--param', `employeeId=${id}`, '--write');
  expect([typed.code, stage.sandbox.state.employee('x')?.locked]).toEqual([0, true]);
  expect(stage.changing()).toEqual(['unknown', 'lockEmployee']);
});

/** A person whose name holds these words, asked for by id. */
function personNamed({ sandbox }: Stage, name: string): readonly string[] {
  sandbox.edit.addEmployee({ username: 'x', name, positions: [{ org_id: sandbox.rootId }] });
  return ['call', 'getEmployee', '--param', `employeeId=${sandbox.state.employee('x')?.id}`];
}

test('an answer shows no token, neither on stdout nor in a file, and all the rest', async () => {
  const stage = await openStage();
  const { token, appToken } = stage.sandbox;
  stage.configure(['token: ${TOKEN}', `token: \${TOKEN}\n  appToken: ${appToken}`]);
  const words = personNamed(stage, `a ${token} b ${appToken} password=c`);
  const shown = await stage.type(...words);
  const saved = await stage.type(...words, '--out', 'x.json');
  expect([shown.code, saved.code, saved.out]).toEqual([0, 0, '']);
  expect(readFileSync(join(stage.folder, 'x.json'), 'utf8')).toBe(shown.out);
  expect(JSON.parse(shown.out)).toMatchObject({ name: 'a [secret] b [secret] password=c' });
});

test('an answer shows no token that was read from a command, nor the one before it', async () => {
  const stage = await openStage();
  const { token } = stage.sandbox;
  const command = join(stage.folder, 'token.sh');
  const file = join(stage.folder, 'tokens');
  writeFileSync(file, `old-token-1\n${token}\n`);
  writeFileSync(command, `#!/bin/sh\nhead -n 1 ${file}; sed -i 1d ${file}\n`, { mode: 0o755 });
  stage.configure(['token: ${TOKEN}', `token: { command: [${command}] }`]);
  const typed = await stage.type(...personNamed(stage, `a old-token-1 b ${token}`));
  expect([typed.code, typed.err]).toEqual([0, '']);
  expect(JSON.parse(typed.out)).toMatchObject({ name: 'a [secret] b [secret]' });
});

test('an answer shows no password that was sent', async () => {
  const stage = await openStage();
  const person = `{"username":"x","name":"is hunter-2-secret","password":"hunter-2-secret",
    "positions":[{"org_id":${stage.sandbox.rootId}}]}`;
  writeFileSync(join(stage.folder, 'person.json'), person);
  const typed = await stage.type('call', 'createEmployee', '--write', '--body', 'person.json');
  expect([typed.code, JSON.parse(typed.out)]).toEqual([0, expect.objectContaining({ name: 'is [secret]' })]);
});

test.each([
  ['where no folder is', ['pageUsers', '--out'], '/x'],
  ['for a file, where no folder is', ['downloadFile', '--param', 'media_id=1', '--out'], '/x'],
  ['to read that is not there', ['createOrganization', '--write', '--body'], ''],
  ['to send that is not there', ['uploadFileForm', '--write', '--body'], ''],
  ['in an unknown parameter', ['pageUsers', '--param'], '=1'],
])('a token in a path is not told: %s', async (_, words, end) => {
  const stage = await openStage();
  const { token } = stage.sandbox;
  const typed = await stage.type('call', ...words, `${token}${end}`);
  expect([typed.code, typed.out]).toEqual([2, '']);
  expect(typed.err).toContain('[secret]');
  expect(typed.err).not.toContain(token);
});
