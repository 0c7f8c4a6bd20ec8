import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  configText,
  eventsOf,
  loadedStage,
  openStage,
  type Stage,
  until,
  usernamesIn,
} from './command-line.ts';

const JOINER = `insert into employee values ('4', 'dan', 'Dan', null, 'active'); insert into assignment values ('4', 'd3', null, 1)`;

const endsOf = (out: string) => eventsOf(out).filter(({ event }) => event === 'run.end');

/** Every file of the ledger with its bytes. */
function ledgerFiles({ folder }: Stage): Readonly<Record<string, string>> {
  const state = join(folder, 'state');
  const names = existsSync(state) ? readdirSync(state) : [];
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(state, name)))
        .digest('hex'),
    ]),
  );
}

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

describe('plan', () => {
  test('before the first run makes no ledger and sends nothing', async () => {
    const stage = await openStage();
    const { code, out } = await stage.type('plan');
    expect(code).toBe(0);
    expect(out).toContain('研发部 🚀');
    expect(stage.changing()).toEqual([]);
    expect(ledgerFiles(stage)).toEqual({});
  });

  test('shows what sync would do, exits 5 where asked to, and changes no byte of the ledger', async () => {
    const stage = await loadedStage();
    const none = await stage.type('plan', '--exit-code');
    expect(none.code).toBe(0);
    stage.hr(JOINER);
    stage.changing();
    const before = ledgerFiles(stage);
    const text = await stage.type('plan');
    const json = await stage.type('plan', '--json');
    const coded = await stage.type('plan', '--exit-code');
    expect([text.code, json.code, coded.code]).toEqual([0, 0, 5]);
    expect(text.out).toMatch(/dan/u);
    expect(JSON.parse(json.out)).toMatchObject({
      complete: true,
      counts: { people: { create: 1 } },
      changes: [{ kind: 'create', id: '4', username: 'dan' }],
    });
    expect([text.err, json.err, coded.err]).toEqual(['', '', '']);
    expect(stage.changing()).toEqual([]);
    expect(ledgerFiles(stage)).toEqual(before);
  });

  test('shows what another configuration would do, and the run with the first one still has nothing to do', async () => {
    const stage = await loadedStage();
    stage.changing();
    const other = join(stage.folder, 'other.yaml');
    writeFileSync(other, configText(stage.sandbox).replace('name: full_name', 'name: login'));
    const before = ledgerFiles(stage)['rollcall.db'];
    const { code, out } = await stage.type('plan', '--json', '--config', other);
    expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { people: { update: 3 } } }]);
    expect([stage.changing(), ledgerFiles(stage)['rollcall.db']]).toEqual([[], before]);
    expect((await stage.type('plan', '--exit-code')).code).toBe(0);
    expect((await stage.type('--config', other, 'plan')).out).toContain(
      `release them with: rollcall --config ${other} sync --approve `,
    );
    expect((await stage.type('--config', other, 'explain', 'zoe')).err).toContain(
      `rollcall --config ${other} explain zoe --live`,
    );
    stage.setEnv({ FORCE_COLOR: '1' });
    expect((await stage.type('--config', other, 'plan')).out).toContain(
      `rollcall --config ${other} sync --approve `,
    );
  });
});

describe('status', () => {
  test('tells of no run, then of the last one, of what fails, and of strangers', async () => {
    const stage = await openStage();
    expect(await stage.type('status')).toMatchObject({
      code: 0,
      out: expect.stringContaining('last run    no run yet') as string,
    });
    expect(ledgerFiles(stage)).toEqual({});
    stage.sandbox.edit.addEmployee({
      username: 'guest',
      name: 'G',
      positions: [{ org_id: stage.sandbox.rootId }],
    });
    stage.hr(`insert into employee values ('9', null, 'Nobody', null, 'active')`);
    expect((await stage.type('sync')).code).toBe(4);
    const text = await stage.type('status', '--unmanaged');
    expect(text.out).toMatch(/partial/u);
    expect(text.out).toMatch(/username/u);
    expect(text.out).toMatch(/guest/u);
    const json = await stage.type('status', '--json', '--exit-code');
    expect(json.code).toBe(4);
    expect(JSON.parse(json.out)).toMatchObject({ units: 3, people: { managed: 3 }, unmanaged: 1 });
    expect(await stage.type('status', '--health')).toMatchObject({
      code: 1,
      out: 'no heartbeat at all: the daemon does not run, or it stands still\n',
    });
  });

  test('lists accounts of another username than the source has', async () => {
    const stage = await loadedStage();
    expect((await stage.type('status')).out).not.toMatch(/another username/iu);
    stage.hr(`update employee set login = 'anna' where emp_no = '1'`);
    expect((await stage.type('sync')).code).toBe(0);
    const { out } = await stage.type('status');
    expect(out).toContain(
      'Another username in the source, where the account keeps its own: 1\n' +
        '  ! ann (Ann) is anna in the source\n',
    );
    expect(out).toContain('In all: 1 account keeps another username than in the source.');
    const json = JSON.parse((await stage.type('status', '--json')).out) as { kept: unknown };
    expect(json.kept).toMatchObject([{ id: '1', label: 'ann', inSource: 'anna' }]);
    stage.hr(`update employee set login = 'ann' where emp_no = '1'`);
    expect((await stage.type('sync')).code).toBe(0);
    expect((await stage.type('status')).out).not.toMatch(/another username/iu);
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

  test('names init where there is no configuration', async () => {
    const stage = await openStage();
    rmSync(stage.configFile);
    const { code, err } = await stage.type('plan');
    expect([code, err]).toEqual([2, expect.stringContaining('rollcall init')]);
  });

  test.each([
    [['synk'], /unknown command 'synk'/u],
    [['sync', '--fulll'], /unknown option '--fulll'/u],
    [['sync', '--dry-run'], /rollcall plan$/mu],
    [['sync', '--wait', 'long'], /expected a whole number/u],
    [['plan', 'too', 'many'], /too many arguments/u],
    [
      ['sync', '--only', 'ada', '--only', 'bob'],
      /argument 'bob' is invalid. it is the second one, and one is/u,
    ],
    [['revert', '--only', 'ada', '--only=bob'], /argument 'bob' is invalid. it is the second one/u],
    [['history', '--unit', 'a', '--json', '--unit', 'b'], /argument 'b' is invalid. it is the second one/u],
  ])('%j is exit 2 with a sentence', async (args, sentence) => {
    const stage = await openStage();
    const { code, err } = await stage.type(...args);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(err).not.toMatch(/ {4}at /u);
  });
});

test('what is repeatable, a flag and --config may be given twice', async () => {
  const stage = await openStage();
  const twice = ['--full', '--full', '--approve', '11111111', '--approve', '22222222'];
  const { code, out } = await stage.type(
    '--config',
    'no.yaml',
    '--config',
    stage.configFile,
    'sync',
    ...twice,
  );
  expect([code, out]).toEqual([2, expect.stringContaining('--approve 11111111: nothing is held')]);
});

describe('two at once', () => {
  test('beside one that is stopped in the middle of a write the second one waits, and says so at the end', async () => {
    const stage = await loadedStage();
    const stopped = new Database(stage.ledgerFile);
    stopped.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const refused = await stage.type('sync', '--wait', '1');
    expect([refused.code, performance.now() - started < 8_000]).toEqual([1, true]);
    expect(refused.err).toMatch(/another run \(in the middle of a write.*waited 1 s/u);
    expect(refused.err).not.toMatch(/database is locked/u);
    const second = stage.start('sync', '--wait', '60');
    await vi.waitFor(() => expect(second.out()).toContain('waiting for it'), {
      timeout: 30_000,
      interval: 100,
    });
    stopped.exec('ROLLBACK');
    stopped.close();
    const waited = await second.ended;
    expect([waited.code, waited.out]).toEqual([0, expect.stringContaining('waiting for it') as string]);
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
    expect(refused.err).toMatch(/another run .* holds the ledger/u);
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

test('a plan names the command that makes the same plan', async () => {
  const stage = await openStage();
  expect((await stage.type('plan')).out).toMatch(/^Apply it with: rollcall sync$/mu);
  expect((await stage.type('plan', '--full')).out).toMatch(/^Apply it with: rollcall sync --full$/mu);
});
