import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../src/interface/operations/operations.ts';
import { openStage, type Stage } from './command-line.ts';
import { expectScreen } from './story.ts';

const NODE = (parent: string): string => JSON.stringify({ type: 'DEPT', name: 'By hand', parent_id: parent });

test('lists all operations, and explains each, without a configuration', async () => {
  const stage = await openStage();
  writeFileSync(stage.configFile, 'nothing: right');
  const list = await stage.type('call', '--list');
  expect(list.code).toBe(0);
  const names = list.out.split('\n').flatMap((line) => /^ {2}(\w+) /u.exec(line)?.[1] ?? []);
  expect(names).toEqual(OPERATION_NAMES);
  const help = await stage.type('call', 'pushMessage', '--help');
  expect(help.code).toBe(0);
  const { out } = await stage.type('call', '--help');
  await expectScreen('help of call', `${out}\n${help.out}`);
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
  expect(without.err).toContain('[call-write]');
  expect(stage.changing()).toEqual([]);
  const done = await stage.type('call', 'createOrganization', '--body', body, '--write');
  expect(done.code).toBe(0);
  expect(done.err).toContain("rollcall's ledger");
  expect(stage.changing()).toEqual(['createOrganization']);
  const deeper = await stage.type('call', 'deleteOrganization', '--param', 'id=1', '--write');
  expect([deeper.code, deeper.out]).toEqual([1, '']);
  expect(deeper.err).toMatch(/ \[service-refuses\] .*\(status 208502\)$/mu);
});

test('a digest of another kind than MD5 is sent as it is given', async () => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'a.txt'), 'content');
  const params = ['--param', `file_digest=${'b'.repeat(64)}`];
  const typed = await stage.type('call', 'uploadFileForm', ...params, '--write', '--body', 'a.txt');
  expect([typed.code, typed.err]).toEqual([0, '']);
  expect(stage.sandbox.calls.at(-1)?.path).toContain(`file_digest=${'b'.repeat(64)}`);
});

const UTF8_MARK = '\uFEFF';

test('a body with a mark of UTF-8 is sent without it', async () => {
  const stage = await openStage();
  writeFileSync(join(stage.folder, 'node.json'), UTF8_MARK + NODE(stage.sandbox.rootId));
  const typed = await stage.type('call', 'createOrganization', '--write', '--body', 'node.json');
  expect([typed.code, stage.changing()]).toEqual([0, ['createOrganization']]);
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
