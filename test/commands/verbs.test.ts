import Database from 'better-sqlite3';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { constant, expectScreen } from './story.ts';
import { eventsOf, loadedStage, openStage, until, usernamesIn } from './command-line.ts';

const JOINER = `insert into employee values ('4', 'dan', 'Dan', null, 'active'); insert into assignment values ('4', 'd3', null, 1)`;

const endsOf = (out: string) => eventsOf(out).filter(({ event }) => event === 'run.end');

describe('sync', () => {
  test('loads, and a second one sends nothing; a quiet run is two lines at level info', async () => {
    const stage = await openStage();
    const first = await stage.type('sync');
    expect([first.code, first.err]).toEqual([0, '']);
    expect(stage.changing()).not.toEqual([]);
    expect(usernamesIn(stage)).toEqual(['ann', 'bob', 'lin']);
    stage.setEnv({ LEVEL: 'info' });
    const second = await stage.type('sync');
    expect([second.code, stage.changing()]).toEqual([0, []]);
    expect(eventsOf(second.out).map(({ event }) => event)).toEqual(['run.start', 'run.end']);
    const state = join(stage.folder, 'state');
    expect(readdirSync(state)).toEqual(['rollcall.db']);
    expect(readdirSync(state).map((file) => statSync(join(state, file)).mode & 0o777)).toEqual([0o600]);
  });
});

describe('the command line', () => {
  test('--version says which rollcall this is, without a configuration', async () => {
    const stage = await openStage();
    rmSync(stage.configFile);
    const { code, out, err } = await stage.type('--version');
    const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    };
    expect([code, out, err]).toEqual([0, `${about.version}\n`, '']);
  });
});

describe('two at once', () => {
  test('beside one that is stopped in the middle of a write the second one waits, and says so at the end', async () => {
    const stage = await loadedStage();
    const stopped = new Database(stage.ledgerFile);
    stopped.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const refused = await stage.type('sync', '--wait', '1');
    expect([refused.code, performance.now() - started < 8_000]).toEqual([1, true]);
    await expectScreen('in the middle of a write', constant(refused.err, stage));
    const second = stage.start('sync', '--wait', '60');
    const waits = (): boolean => eventsOf(second.out()).some(({ waitSeconds }) => waitSeconds === 60);
    await until(waits, 'the second one to wait', 30);
    stopped.exec('ROLLBACK');
    stopped.close();
    const waited = await second.ended;
    expect(waited.code).toBe(0);
  });

  test('the second one waits for the first, or fails at once with --wait 0', async () => {
    const stage = await openStage();
    const held = new AbortController();
    let waiting = false;
    stage.sandbox.onCall = async ({ operation }) => {
      if (operation !== 'importOrganizations' || waiting) return;
      waiting = true;
      await once(held.signal, 'abort');
    };
    const first = stage.start('sync');
    await until(() => waiting, 'the first call that changes the service');
    const refused = await stage.type('sync', '--wait', '0');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('; waited 0 s');
    const second = stage.start('sync');
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(stage.changing()).toEqual(['importOrganizations']);
    held.abort();
    expect((await first.ended).code).toBe(0);
    expect((await second.ended).code).toBe(0);
    expect(stage.sandbox.state.organizations()).toHaveLength(4);
    const runs = endsOf(second.out());
    expect(runs).toMatchObject([{ result: 'ok', applied: 0 }]);
  });
});

describe('run', () => {
  test('runs at start and on SIGUSR2, is healthy, and ends 0 on SIGTERM', async () => {
    const stage = await openStage();
    const daemon = stage.start('run');
    const ends = () => endsOf(daemon.out());
    await until(() => ends().length === 1, 'the run at start');
    expect((await stage.type('status', '--health')).code).toBe(0);
    stage.hr(JOINER);
    daemon.child.kill('SIGUSR2');
    await until(() => ends().length === 2, 'the run of SIGUSR2');
    expect(ends().map(({ result, applied }) => [result, applied])).toEqual([
      ['ok', 6],
      ['ok', 1],
    ]);
    daemon.child.kill('SIGTERM');
    const { code, err } = await daemon.ended;
    expect([code, err]).toEqual([0, '']);
  });

  test('stays healthy on the configuration it has read, while the file has mistakes', async () => {
    const stage = await openStage();
    const daemon = stage.start('run');
    await until(() => eventsOf(daemon.out()).some(({ event }) => event === 'run.end'), 'the run at start');
    stage.configure(['orgCode:', 'orgcode:'], ['type: sql', 'type: sqll']);
    expect((await stage.type('status')).code).toBe(2);
    expect((await stage.type('status', '--health')).code).toBe(0);
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    writeFileSync(stage.configFile, 'state: { path: "${NOWHERE}" }\n');
    expect((await stage.type('status', '--health')).code).toBe(2);
  });

  test('SIGTERM lets the call in flight end and records it; the next run goes on from there', async () => {
    const stage = await openStage();
    let flying = false;
    stage.sandbox.onCall = async ({ operation }) => {
      if (operation !== 'importOrganizations') return;
      flying = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
    };
    const daemon = stage.start('run');
    await until(() => flying, 'a call in flight');
    daemon.child.kill('SIGTERM');
    const { code, out } = await daemon.ended;
    expect([code, endsOf(out).length, stage.changing()]).toEqual([0, 1, ['importOrganizations']]);
    expect(stage.sandbox.state.organizations()).toHaveLength(2);
    expect((await stage.type('sync')).code).toBe(0);
    expect(stage.sandbox.state.organizations()).toHaveLength(4);
  });
});
