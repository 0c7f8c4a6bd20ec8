import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { company, reorganized } from './company.ts';
import { expectedState } from './expected-state.ts';
import { hrOf } from './hr-of.ts';
import { openHr, withoutWaiting } from './kills.ts';
import { stateOf } from '../sync/world.ts';
import { eventsOf, openStage, type Running, type Stage, type Typed } from '../commands/command-line.ts';
import { BOUND_BY_MODES, fill, limitedTo, mountSmall, stopWriting } from './disk.ts';

/** Runs once, so that there is a ledger, and has something to send then. */
async function openWorked(): Promise<Stage> {
  const stage = await openStage();
  await stage.type('sync');
  stage.hr(`update employee set full_name = 'New' where emp_no = '1'`);
  stage.sandbox.forgetCalls();
  return stage;
}

const isNoisy = ({ out, err }: Typed): boolean =>
  /unexpected|\n {4}at /u.test(out + err) ||
  !/^rollcall: \[ledger-[a-z-]+\] ledger .*rollcall\.db: [^\n]*\n$/u.test(err);

/** What two runs say, and how many calls they made. */
async function told(stage: Stage): Promise<readonly unknown[]> {
  const runs = [await stage.type('sync'), await stage.type('sync', '--full')];
  const calls = stage.sandbox.calls.length;
  return runs.map((ran) => ({ code: ran.code, err: ran.err, isNoisy: isNoisy(ran), calls }));
}

/** One sentence with the place and the remedy each, exit 1, and no call at all. */
function refused(words: RegExp): readonly unknown[] {
  const one = { code: 1, err: expect.stringMatching(words) as string, isNoisy: false, calls: 0 };
  return [one, one];
}

async function nameAfterAll(stage: Stage): Promise<string | undefined> {
  stage.startBy();
  await stage.type('sync');
  return stage.sandbox.state.employee('ann')?.name;
}

/** Modes back at the end, for whoever removes the folder. */
function mode(path: string, bits: number, later: number): void {
  chmodSync(path, bits);
  onTestFinished(() => chmodSync(path, later));
}

test('status and explain read a ledger in a folder that is read-only, and leave nothing behind', async () => {
  const stage = await openWorked();
  const folder = dirname(stage.ledgerFile);
  const scratch = join(stage.folder, 'tmp');
  mkdirSync(scratch);
  stage.setEnv({ TMPDIR: scratch });
  stage.startBy(...BOUND_BY_MODES);
  mode(folder, 0o500, 0o700);
  const before = readdirSync(folder);
  const [status, explain] = [await stage.type('status'), await stage.type('explain', 'ann')];
  expect([status.code, status.err, explain.code, explain.err]).toEqual([0, '', 0, '']);
  expect([status.out, explain.out]).toEqual([
    expect.stringMatching(/3 people/u),
    expect.stringMatching(/ann/u),
  ]);
  expect([readdirSync(folder), readdirSync(scratch)]).toEqual([before, []]);
});

test('a ledger in a folder that this user may not look into is told so, and never taken for none', async () => {
  const stage = await openWorked();
  stage.startBy(...BOUND_BY_MODES);
  mode(dirname(stage.ledgerFile), 0o000, 0o700);
  const words = /\[ledger-unseen\]/u;
  for (const verb of [
    ['status'],
    ['status', '--exit-code'],
    ['status', '--json'],
    ['history'],
    ['explain', 'ann'],
  ])
    expect(await stage.type(...verb)).toMatchObject({ code: 1, err: expect.stringMatching(words) as string });
});

test('a folder in place of the ledger is told so by each verb, and ends the run in the log as well', async () => {
  const stage = await openStage();
  mkdirSync(stage.ledgerFile, { recursive: true });
  for (const verb of [['plan'], ['status'], ['history'], ['explain', 'ann']])
    expect(await stage.type(...verb)).toMatchObject({
      code: 1,
      err: expect.stringContaining('[ledger-no-file]') as string,
    });
  const checked = await stage.type('check');
  expect([checked.code, checked.out]).toEqual([1, expect.stringMatching(/^FAIL {2}ledger .*\(a folder\)/mu)]);
  const ran = await stage.type('sync');
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('[ledger-no-file]')]);
  const error = ran.err.slice(10).trim();
  expect(eventsOf(ran.out)).toMatchObject([{ event: 'run.end', result: 'failed', error }]);
});

describe('a ledger that cannot be written ends the run before any call', () => {
  test('a folder that cannot be made, of a system that says that it is not there', async () => {
    const stage = await openStage();
    stage.configure(['state: { path: state/rollcall.db }', 'state: { path: /proc/nowhere/at/all.db }']);
    for (const verb of ['sync', 'plan', 'check']) {
      const { code, out, err } = await stage.type(verb);
      expect([code, out + err]).toEqual([1, expect.stringMatching(/\[ledger-[a-z-]+\]|^FAIL {2}ledger /mu)]);
    }
    expect(stage.changing()).toEqual([]);
  });

  test('a file that is read-only', async () => {
    const stage = await openWorked();
    stage.startBy(...BOUND_BY_MODES);
    mode(stage.ledgerFile, 0o400, 0o600);
    const words = /\[ledger-unwritable\]/u;
    expect(await told(stage)).toEqual(refused(words));
    const [status, plan] = [await stage.type('status', '--exit-code'), await stage.type('plan')];
    expect([status.code, plan.code]).toEqual([1, 0]);
    expect(status.out).toMatch(/^no .*ledger .* read-only/mu);
    expect((await stage.type('check')).out).toMatch(/^FAIL {2}ledger .* read-only/mu);
    chmodSync(stage.ledgerFile, 0o600);
    expect(await nameAfterAll(stage)).toBe('New');
  });

  test('a folder that is read-only', async () => {
    const stage = await openWorked();
    const folder = dirname(stage.ledgerFile);
    stage.startBy(...BOUND_BY_MODES);
    mode(folder, 0o500, 0o700);
    expect(await told(stage)).toEqual(refused(/\[ledger-(?:unwritable|read-only)\]/u));
    chmodSync(folder, 0o700);
    expect(await nameAfterAll(stage)).toBe('New');
  });

  test.each([0, 16])('files that may not grow beyond %i KB', async (kilobytes) => {
    const stage = await openWorked();
    stage.startBy(...limitedTo(kilobytes));
    expect(await told(stage)).toEqual(refused(/\[ledger-disk\]/u));
    expect(await nameAfterAll(stage)).toBe('New');
  });

  test('a disk that is nearly full', async () => {
    const stage = await openStage();
    mkdirSync(dirname(stage.ledgerFile));
    const mounted = mountSmall(dirname(stage.ledgerFile), 2);
    if (!mounted) stage.startBy(...limitedTo(2));
    const words = mounted ? /the disk is full: [12] MB are free.*free some space/u : /the disk answered/u;
    for (const full of [[], ['--full']]) {
      const { code, out, err } = await stage.type('sync', ...full);
      expect([code, out + err]).toEqual([1, expect.stringMatching(words)]);
    }
    expect(stage.sandbox.calls).toEqual([]);
  });
});

test('a disk that got full between two runs is told by status, check and the log; who has left is named', async () => {
  const stage = await openStage();
  mkdirSync(dirname(stage.ledgerFile));
  const mounted = mountSmall(dirname(stage.ledgerFile), 24);
  expect((await stage.type('sync')).code).toBe(0);
  writeFileSync(join(dirname(stage.ledgerFile), 'else'), Buffer.alloc(14 * 1_048_576));
  stage.hr(`update employee set status = 'left' where emp_no = '1'`);
  const words = /the disk is full: \d+ MB are free, a run needs 16; free some space/u;
  const ran = await stage.type('sync');
  const status = await stage.type('status', '--exit-code');
  const check = await stage.type('check');
  const answers = [ran, status, check].map(({ code, out }) => [code, words.test(out)]);
  expect(answers).toEqual(
    mounted ? [1, 1, 1].map((code) => [code, true]) : [0, 0, 0].map((code) => [code, false]),
  );
  const result = mounted ? 'failed' : 'ok';
  expect(eventsOf(ran.out).at(-1)).toMatchObject({ event: 'run.end', result });
  expect(/No run can begin; the reason is listed\.$/mu.test(status.out)).toBe(mounted);
});

const BEFORE = company({ units: 30, people: 400 });
const AFTER = withoutWaiting(reorganized(BEFORE));

/** Calls that were written down. */
function journalled(stage: Stage): number {
  const db = new Database(stage.ledgerFile, { readonly: true });
  const row = db.prepare<[], { n: number }>('select count(*) as n from call').get();
  db.close();
  return row?.n ?? 0;
}

const changesOf = (stage: Stage): number =>
  stage.sandbox.calls.filter(({ method }) => method !== 'GET').length;

/** How the disk gets full for a running program; returns how it gets empty again. */
type Filling = (stage: Stage, running: Running) => () => void;

const nowhere: Filling = (_, { child }) => {
  stopWriting(child.pid ?? 0);
  return () => undefined;
};
const onDisk: Filling = (stage) => fill(dirname(stage.ledgerFile));

/** With its last line, and without anything unexpected. */
function expectEnded(ended: Typed): void {
  expect(ended.code).toBe(1);
  expect(ended.out + ended.err).not.toMatch(/unexpected|\n {4}at /u);
  expect(eventsOf(ended.out).findLast(({ event }) => event === 'run.end')).toMatchObject({
    result: 'failed',
    error: expect.stringMatching(/^\[ledger-(?:full|disk)\]/u) as string,
  });
}

describe.each(['no file may grow any more', 'no room on the disk'])('%s in the middle of a run', (how) => {
  /** A real full disk where one can be mounted, else the other way again. */
  async function open(): Promise<{ readonly stage: Stage; readonly filling: Filling }> {
    const stage = await openHr(BEFORE);
    if (how !== 'no room on the disk') return { stage, filling: nowhere };
    mkdirSync(join(stage.folder, 'state'));
    const mounted = mountSmall(join(stage.folder, 'state'), 24);
    return { stage, filling: mounted ? onDisk : nowhere };
  }

  /** Runs until the n-th call of this operation, and fills the disk before it is answered. */
  async function run(
    world: Awaited<ReturnType<typeof open>>,
    operation: string,
    number: number,
  ): Promise<Typed> {
    const { stage, filling } = world;
    const running = stage.start('sync');
    let seen = 0;
    const after: (() => void)[] = [];
    stage.sandbox.onCall = (call) => {
      seen += call.operation === operation ? 1 : 0;
      if (seen !== number || call.operation !== operation) return;
      after.push(filling(stage, running));
    };
    const ended = await running.ended;
    stage.sandbox.onCall = undefined;
    for (const empty of after) empty();
    stage.expireLease();
    expect(seen).toBeGreaterThanOrEqual(number);
    return ended;
  }

  test.each([
    ['organizationInfo', 1],
    ['pageUsers', 1],
  ])('in the refresh (%s %i): nothing is changed', async (operation, number) => {
    const world = await open();
    expectEnded(await run(world, operation, number));
    expect(changesOf(world.stage)).toBe(0);
    expect((await world.stage.type('sync')).code).toBe(0);
    expect(stateOf(world.stage.sandbox)).toEqual(expectedState(BEFORE));
  });

  test('between changes: it ends before the next one, and the next run goes on', async () => {
    const world = await open();
    const { stage } = world;
    for (const [operation, number] of [
      ['importOrganizations', 2],
      ['importEmployees', 1],
      ['importEmployees', 3],
    ] as const) {
      expectEnded(await run(world, operation, number));
      expect(changesOf(stage)).toBeLessThanOrEqual(journalled(stage));
    }
    expect((await stage.type('sync')).code).toBe(0);
    expect(stateOf(stage.sandbox)).toEqual(expectedState(BEFORE));
    stage.hr(hrOf(AFTER));
    expectEnded(await run(world, 'importEmployees', 1));
    expect(changesOf(stage)).toBeLessThanOrEqual(journalled(stage));
    expect((await stage.type('sync')).code).toBe(0);
    expect(stateOf(stage.sandbox)).toEqual(expectedState(AFTER, BEFORE));
    stage.changing();
    expect([(await stage.type('sync', '--full')).code, stage.changing()]).toEqual([0, []]);
  });
});
