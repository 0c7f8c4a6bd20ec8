import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventsOf, openStage, type Stage } from '../commands/command-line.ts';

interface Status {
  readonly runs: readonly { readonly result: string | null; readonly exitCode: number | null }[];
}

async function lastRun(stage: Stage): Promise<Status['runs'][number] | undefined> {
  const { out } = await stage.type('status', '--json');
  return (JSON.parse(out) as Status).runs[0];
}

const nothing = (): void => undefined;

/** A service that keeps a call waiting until it is let go. */
async function waiting(call = 'importEmployees') {
  const stage = await openStage();
  let letGo = nothing;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const inFlight = new Promise<void>((resolve) => {
    stage.sandbox.onCall = async ({ operation }) => {
      if (operation !== call) return;
      resolve();
      await held;
    };
  });
  return { stage, inFlight, letGo };
}

const STOPPED = { result: 'stopped', exitCode: 1 };

/** The next run begins at once, and ends the work. */
async function expectGoesOn(stage: Stage): Promise<void> {
  stage.sandbox.onCall = undefined;
  const next = await stage.type('sync', '--wait', '5');
  expect([next.code, next.err]).toEqual([0, '']);
  expect(stage.sandbox.state.employees()).toHaveLength(3);
}

test('plan beside a running sync says so, and not when it has ended', async () => {
  const { stage, inFlight, letGo } = await waiting();
  const running = stage.start('sync');
  await inFlight;
  const beside = await stage.type('plan');
  expect([beside.code, beside.err]).toEqual([0, '']);
  expect(beside.out).toMatch(/\bunder way \(/u);
  letGo();
  expect((await running.ended).code).toBe(0);
  expect((await stage.type('plan')).out).not.toMatch(/\bunder way \(/u);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'sync finishes the call in flight on %s, exits 1, and says that it was stopped',
  async (signal) => {
    const { stage, inFlight, letGo } = await waiting();
    const running = stage.start('sync');
    await inFlight;
    running.child.kill(signal);
    await sleep(50);
    letGo();
    const { code, out, err } = await running.ended;
    expect([code, err]).toEqual([1, '']);
    expect(eventsOf(out).at(-1)).toMatchObject({ event: 'run.end', result: 'stopped' });
    expect(await lastRun(stage)).toMatchObject(STOPPED);
    expect(stage.sandbox.state.employees()).toHaveLength(3);
    await expectGoesOn(stage);
  },
);

test('a second signal ends sync at once, with exit 1, and still says that it was stopped', async () => {
  const { stage, inFlight, letGo } = await waiting();
  const running = stage.start('sync');
  await inFlight;
  running.child.kill('SIGTERM');
  await sleep(50);
  running.child.kill('SIGTERM');
  const { code, signal, out } = await running.ended;
  expect([code, signal]).toEqual([1, null]);
  expect(eventsOf(out).at(-1)).toMatchObject({ event: 'run.end', result: 'stopped' });
  expect(await lastRun(stage)).toMatchObject(STOPPED);
  letGo();
  await expectGoesOn(stage);
});

test('sync that is about to look what became of a call says that it was stopped', async () => {
  const stage = await openStage();
  stage.sandbox.setFaults('seed=1,rate=1,kinds=dropAfter,ops=importEmployees');
  const sent = new Promise<void>((resolve) => {
    stage.sandbox.onCall = ({ operation }) => (operation === 'importEmployees' ? resolve() : undefined);
  });
  const running = stage.start('sync');
  await sent;
  await sleep(100);
  running.child.kill('SIGTERM');
  const { code, out, err } = await running.ended;
  expect([code, err]).toEqual([1, '']);
  expect(eventsOf(out).at(-1)).toMatchObject({ event: 'run.end', result: 'stopped' });
  expect(out).not.toContain('"stack"');
  stage.sandbox.setFaults(undefined);
  await expectGoesOn(stage);
});

test('sync that waits for another run is no run if it is stopped', async () => {
  const { stage, inFlight, letGo } = await waiting();
  const first = stage.start('sync');
  await inFlight;
  const second = stage.start('sync', '--wait', '20');
  await sleep(2_500);
  second.child.kill('SIGTERM');
  const { code, out, err } = await second.ended;
  expect([code, err]).toEqual([
    1,
    'rollcall: [stopped-asked] asked to stop: the next run goes on from here\n',
  ]);
  expect(eventsOf(out).map(({ msg }) => msg)).toEqual(['another run holds the ledger: waiting for it']);
  letGo();
  expect((await first.ended).code).toBe(0);
});

/** Leads the session of a terminal, passes its end on, and notes how the program ended. */
const LEADER = `trap 'kill -HUP $program' HUP
"$@" & program=$!
wait $program
wait $program
echo $? >code
`;

test('a terminal that is closed stops sync, which ends without it', async () => {
  const { stage, inFlight, letGo } = await waiting();
  writeFileSync(join(stage.folder, 'leader.sh'), LEADER);
  const codeFile = join(stage.folder, 'code');
  stage.startBy('sh', '-c', 'exec script -qfec "sh leader.sh $*" /dev/null', 'sh');
  const terminal = stage.start('sync');
  stage.startBy();
  await inFlight;
  terminal.child.kill('SIGKILL');
  await sleep(200);
  letGo();
  for (let tries = 0; tries < 100 && (await lastRun(stage))?.result === null; tries += 1) await sleep(100);
  expect(await lastRun(stage)).toMatchObject(STOPPED);
  await expect.poll(() => (existsSync(codeFile) ? readFileSync(codeFile, 'utf8') : '')).toBe('1\n');
  await expectGoesOn(stage);
});

test('the daemon ends after 25 seconds where a call hangs, with one end of the run, and the next run goes on', async () => {
  const { stage, inFlight, letGo } = await waiting('disableEmployee');
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login = 'bob'`);
  const running = stage.start('run');
  await inFlight;
  const stoppedAt = performance.now();
  running.child.kill('SIGTERM');
  const { code, out } = await running.ended;
  expect(code).toBe(0);
  // A container is killed after 30 seconds.
  expect((performance.now() - stoppedAt) / 1_000).toBeLessThan(30);
  expect(eventsOf(out).filter(({ event }) => event === 'run.end')).toMatchObject([{ result: 'stopped' }]);
  expect(await lastRun(stage)).toMatchObject(STOPPED);
  letGo();
  await expectGoesOn(stage);
});
