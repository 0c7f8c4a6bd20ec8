import Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStage, type Running, type Stage } from './command-line.ts';

const WELL = '"otherDaemon":false,"reloadRefused":false';
const ADDRESS = /"address":"(?<address>http:[^"]+)"/u;

async function said(running: Running, words: RegExp): Promise<RegExpExecArray> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = words.exec(running.out());
    if (found !== null) return found;
    await sleep(50);
  }
  throw new Error(`not said: ${String(words)}\n${running.out()}`);
}

test('the daemon answers for itself where http is configured, and refuses to move', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'http: { listen: 127.0.0.1:0 }\nlog:']);
  const running = stage.start('run');
  const address = (await said(running, ADDRESS)).groups?.['address'] ?? '';
  await said(running, /"event":"run\.end"/u);
  const ask = async (path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(address + path);
    return [answer.status, await answer.text()];
  };
  expect(await ask('/healthz')).toEqual([200, '{"alive":true}']);
  await expect.poll(() => ask('/readyz')).toEqual([200, `{"ready":true,"lastRun":"ok",${WELL}}`]);
  const [, metrics] = await ask('/metrics');
  expect(metrics).toContain('rollcall_runs_total{result="ok",kind="full"} 1');
  expect(metrics).toMatch(/^rollcall_calls_total\{call="POST [^"]*import-employees",outcome="done"\} 1$/mu);
  expect(metrics).toMatch(/^rollcall_managed_records\{kind="people"\} 3$/mu);
  expect(metrics).toMatch(/^rollcall_last_full_run_age_seconds /mu);
  const db = new Database(stage.ledgerFile);
  db.pragma('user_version = 99');
  db.close();
  running.child.kill('SIGUSR2');
  await expect.poll(() => ask('/readyz')).toEqual([503, `{"ready":false,"lastRun":"failed",${WELL}}`]);
  stage.configure(['log:', 'http: { listen: 127.0.0.1:1 }\nlog:']);
  running.child.kill('SIGHUP');
  await said(running, /has another http: set it back, or start the daemon again/u);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed');
});

test('a reload that was refused and a second daemon are named until that is over', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'http: { listen: 127.0.0.1:0 }\nlog:']);
  const running = stage.start('run');
  const address = (await said(running, ADDRESS)).groups?.['address'] ?? '';
  await said(running, /"event":"run\.end"/u);
  const text = async (path: string): Promise<string> => (await fetch(address + path)).text();
  const lines = async (): Promise<readonly string[]> =>
    (await stage.type('status')).out.split('\n').slice(0, 2);

  stage.configure(['log:', 'http: { listen: 127.0.0.1:1 }\nlog:']);
  running.child.kill('SIGHUP');
  await expect
    .poll(() => text('/readyz'))
    .toContain('"ready":true,"lastRun":"ok","otherDaemon":false,"reloadRefused":true');
  expect(await text('/metrics')).toMatch(/^rollcall_reload_refused 1$/mu);
  expect((await lines())[0]).toMatch(
    /^The daemon keeps its old configuration\. .* has another http: set it back/u,
  );

  stage.configure(['log:', 'http: { listen: 127.0.0.1:0 }\nlog:']);
  const second = stage.start('run');
  await said(second, /"event":"run\.end"/u);
  running.child.kill('SIGHUP');
  await expect.poll(() => text('/readyz')).toContain('"otherDaemon":true,"reloadRefused":false');
  expect(await text('/metrics')).toMatch(/^rollcall_other_daemons 1$/mu);
  expect((await lines())[0]).toBe('2 daemons work on this ledger: stop all but one.');
  expect(JSON.parse((await stage.type('status', '--json')).out)).toMatchObject({
    otherDaemons: 1,
    reloadRefused: null,
  });

  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(await text('/readyz')).toContain('"otherDaemon":false');
  expect(await text('/healthz')).toBe('{"alive":true}');
  expect((await lines())[0]).toMatch(/^last run/u);
  running.child.kill('SIGTERM');
  await running.ended;
});

const AGES = /^rollcall_last_(?:good|full)_run_age_seconds (?<age>[\d.]+)$/gmu;

/** The metrics of a daemon whose first run has failed. */
async function metricsAfterFailure(stage: Stage): Promise<string> {
  const running = stage.start('run');
  const address = (await said(running, ADDRESS)).groups?.['address'] ?? '';
  await said(running, /"event":"run\.end","result":"failed"/u);
  const text = await (await fetch(`${address}/metrics`)).text();
  running.child.kill('SIGTERM');
  await running.ended;
  return text;
}

test('runs of a clock that was ahead tell no age', async () => {
  const stage = await openStage();
  for (const args of [['sync'], ['sync', '--full']]) expect((await stage.type(...args)).code).toBe(0);
  const db = new Database(stage.ledgerFile);
  const [hour, day] = [3_600_000, 86_400_000];
  const move = db.prepare(
    'update run set started_at = started_at + ?, ended_at = ended_at + ? where rowid = ?',
  );
  for (const [row, by] of [
    [1, -10 * hour],
    [2, 30 * day],
  ] as const)
    move.run(by, by, row);
  db.prepare(`update fact set value = value + ? where name = 'lastFull'`).run(30 * day);
  db.close();
  stage.configure(['log:', 'http: { listen: 127.0.0.1:0 }\nlog:'], ['from employee', 'from nothing']);
  const text = await metricsAfterFailure(stage);
  const ages = [...text.matchAll(AGES)].map(({ groups }) => Number(groups?.['age']));
  expect(ages.map((age) => Math.round(age / 3600))).toEqual([10, 10]);
});

test('a daemon without a good run shows since when, beyond a restart, and stays healthy', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'http: { listen: 127.0.0.1:0 }\nlog:'], ['from employee', 'from nothing']);
  const agesOfOneRun = async (): Promise<readonly number[]> => {
    const running = stage.start('run');
    const address = (await said(running, ADDRESS)).groups?.['address'] ?? '';
    await said(running, /"event":"run\.end","result":"failed"/u);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503);
    const text = await (await fetch(`${address}/metrics`)).text();
    running.child.kill('SIGTERM');
    await running.ended;
    return Array.from(text.matchAll(AGES), ({ groups }) => Number(groups?.['age']));
  };
  const first = await agesOfOneRun();
  await sleep(1_000);
  const second = await agesOfOneRun();
  expect([first.length, second.length]).toEqual([2, 2]);
  expect(Math.min(...second)).toBeGreaterThan(Math.max(...first) + 1);
});

test('a daemon that starts while the source is down shows what the last run before it has found', async () => {
  const stage = await openStage();
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login in ('ann', 'bob')`);
  const http = ['log:', 'sync: { guard: { leavers: 1 } }\nhttp: { listen: 127.0.0.1:0 }\nlog:'] as const;
  stage.configure(http);
  expect((await stage.type('sync')).code).toBe(3);
  stage.configure(http, ['from employee', 'from nothing']);
  const text = await metricsAfterFailure(stage);
  expect(text).toMatch(/^rollcall_held_changes 2$/mu);
  expect(text).toMatch(/^rollcall_failed_records 0$/mu);
  expect(text).toMatch(/^rollcall_unmanaged_employees 0$/mu);
});

test('a daemon shows within half a minute what a run by command has found', async () => {
  const stage = await openStage();
  const guard = 'guard: { leavers: 0 }';
  stage.configure(['log:', `sync: { cron: '0 0 1 1 *', ${guard} }\nhttp: { listen: 127.0.0.1:0 }\nlog:`]);
  const running = stage.start('run');
  const address = (await said(running, ADDRESS)).groups?.['address'] ?? '';
  await said(running, /"event":"run\.end"/u);
  const text = async (path: string): Promise<string> => (await fetch(address + path)).text();
  stage.hr(`update employee set status = 'left' where login = 'ann'`);
  expect((await stage.type('sync')).code).toBe(3);
  const later = { timeout: 60_000 };
  await expect.poll(() => text('/metrics'), later).toMatch(/^rollcall_held_changes 1$/mu);
  expect(await text('/metrics')).toMatch(/^rollcall_leavers_inside 1$/mu);
  expect(await text('/readyz')).toBe(`{"ready":true,"lastRun":"held",${WELL}}`);
  running.child.kill('SIGTERM');
  await running.ended;
});
