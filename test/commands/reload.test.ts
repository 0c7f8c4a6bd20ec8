import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { eventsOf, openStage, until, type Running } from './command-line.ts';

async function said(running: Running, words: string, times = 1): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (running.out().split(words).length > times) return;
    await sleep(50);
  }
  throw new Error(`not said: ${words}\n${running.out()}`);
}

/** The daemon after its first run; SIGHUP with some of the configuration replaced. */
async function daemon() {
  const stage = await openStage();
  const running = stage.start('run');
  await said(running, '"event":"run.end"');
  return {
    stage,
    running,
    reload: (search: string, replacement: string): void => {
      stage.configure([search, replacement]);
      running.child.kill('SIGHUP');
    },
    end: async () => {
      running.child.kill('SIGTERM');
      return running.ended;
    },
  };
}

test.each([
  ['another organization', 'orgCode: ', 'orgCode: other-', 'set service.domainId and service.orgCode back'],
  ['another ledger', 'state/rollcall.db', 'state/other.db', 'set state.path back'],
])(
  'SIGHUP with %s is refused with a sentence, and the old configuration stays',
  async (_, search, to, words) => {
    const { stage, running, reload, end } = await daemon();
    reload(search, to);
    await said(running, words);
    stage.hr(`insert into employee values ('4', 'eve', 'Eve', null, 'active');
    insert into assignment values ('4', 'd2', null, 1)`);
    running.child.kill('SIGUSR2');
    await said(running, '"event":"run.end"', 2);
    expect(stage.sandbox.state.employees()).toHaveLength(4);
    expect(readdirSync(join(stage.folder, 'state')).filter((name) => name.startsWith('other'))).toEqual([]);
    expect((await end()).code).toBe(0);
  },
);

const BAD_RULE = ['name: full_name', "name: { expr: 'nam(' }"] as const;

test('SIGHUP with a mistake in a rule is refused: the leaver is locked by the configuration before', async () => {
  const { stage, running, reload, end } = await daemon();
  reload(...BAD_RULE);
  await said(running, 'the configuration cannot be used; the old one stays');
  stage.hr(`update employee set status = 'left' where login = 'bob'`);
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 2);
  expect(stage.sandbox.state.employees().find(({ username }) => username === 'bob')?.locked).toBe(true);
  expect((await end()).code).toBe(0);
});

test('a daemon does not start with a mistake in a rule', async () => {
  const stage = await openStage();
  stage.configure(BAD_RULE);
  const { code, err } = await stage.type('run');
  expect([code, err]).toEqual([2, expect.stringContaining('source.people.fields.name: ')]);
});

test('a run that cannot begin is the last run, and failed', async () => {
  const stage = await openStage();
  const table = join(stage.folder, 'ranks.csv');
  writeFileSync(table, 'key,value\na,b\n');
  stage.configure(
    ['job_title: title', `job_title: { expr: "lookup('ranks', title)" }`],
    ['log:', `lookups: { ranks: { file: ${table}, key: key, value: value } }\nlog:`],
  );
  const running = stage.start('run');
  await said(running, '"event":"run.end"');
  // Nor does an approval that waits keep it from being recorded.
  const ledger = new Database(stage.ledgerFile);
  ledger.exec(`INSERT INTO approval (kind, digest, hash, at) VALUES ('given', 'd', 'h', ${Date.now()})`);
  ledger.close();
  writeFileSync(table, 'other,value\na,b\n');
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 2);
  expect(eventsOf(running.out()).findLast(({ event }) => event === 'run.end')).toMatchObject({
    result: 'failed',
    error: expect.stringContaining('lookups.ranks.file') as string,
  });
  running.child.kill('SIGTERM');
  await running.ended;
  writeFileSync(table, 'key,value\na,b\n');
  const status = await stage.type('status', '--exit-code');
  expect([status.code, status.out]).toEqual([2, expect.stringContaining('lookups.ranks.file')]);
});

test('a daemon whose ledger is gone begins no new one, and goes on when it is back', async () => {
  const stage = await openStage();
  const running = stage.start('run');
  await said(running, '"event":"run.end"');
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(stage.ledgerFile + part))
      renameSync(stage.ledgerFile + part, `${stage.ledgerFile}.kept${part}`);
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 2);
  expect(eventsOf(running.out()).findLast(({ event }) => event === 'run.end')).toMatchObject({
    result: 'failed',
    error: expect.stringContaining('[ledger-gone]') as string,
  });
  expect(existsSync(stage.ledgerFile)).toBe(false);
  renameSync(`${stage.ledgerFile}.kept`, stage.ledgerFile);
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 3);
  expect(eventsOf(running.out()).findLast(({ event }) => event === 'run.end')).toMatchObject({
    result: 'ok',
  });
  running.child.kill('SIGTERM');
  await running.ended;
});

test('signals that come before the daemon is ready do not end it', async () => {
  const stage = await openStage();
  const pipe = join(stage.folder, 'token');
  execFileSync('mkfifo', [pipe]);
  stage.configure(['${TOKEN}', `\${file:${pipe}}`]);
  const running = stage.start('run');
  const handlesHup = (): boolean => {
    const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
    return Number.parseInt(/^SigCgt:.*(.)$/mu.exec(status)?.[1] ?? '', 16) % 2 === 1;
  };
  await until(handlesHup, 'SIGHUP to be handled');
  running.child.kill('SIGHUP');
  running.child.kill('SIGUSR2');
  writeFileSync(pipe, stage.sandbox.token);
  rmSync(pipe);
  writeFileSync(pipe, stage.sandbox.token);
  await said(running, '"event":"run.end"');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('SIGHUP with anything else is taken for the next run', async () => {
  const { stage, running, reload, end } = await daemon();
  reload('log:', 'sync: { protect: { usernames: [bob] } }\nlog:');
  await said(running, 'configuration read again');
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 2);
  expect(running.out()).toContain('protect');
  expect((await end()).code).toBe(0);
});
