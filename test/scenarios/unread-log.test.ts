import { execFileSync } from 'node:child_process';
import { constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../commands/command-line.ts';

async function loaded({ sandbox }: Stage): Promise<boolean> {
  for (let tries = 0; tries < 200 && sandbox.state.employees().length < 3; tries += 1) await sleep(50);
  return sandbox.state.employees().length === 3;
}

test('a daemon whose log nobody reads works, is healthy, stops; who reads late misses nothing', async () => {
  const stage = await openStage();
  const path = join(stage.folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  expect(() => {
    for (;;) writeSync(pipe, '.');
  }).toThrow('EAGAIN');
  stage.startBy('sh', '-c', 'exec "$@" >pipe', 'sh');
  const running = stage.start('run');
  expect(await loaded(stage)).toBe(true);
  stage.startBy();
  expect((await stage.type('status', '--health')).code).toBe(0);
  const chunk = Buffer.alloc(65_536);
  readSync(pipe, chunk);
  await sleep(500);
  const lines = chunk.toString('utf8', 0, readSync(pipe, chunk)).trim().split('\n');
  const events = lines.map((line) => (JSON.parse(line) as Readonly<Record<string, unknown>>)['event']);
  expect([events[0], events.at(-1)]).toEqual(['run.start', 'run.end']);
  expect(() => {
    for (;;) writeSync(pipe, '.');
  }).toThrow('EAGAIN');
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, err: '' });
});

test('a daemon whose log is on a full disk says so once, and works', async () => {
  const stage = await openStage();
  stage.startBy('sh', '-c', 'exec "$@" >/dev/full', 'sh');
  const running = stage.start('run');
  expect(await loaded(stage)).toBe(true);
  running.child.kill('SIGTERM');
  const { code, err } = await running.ended;
  expect([code, err.trim().split('\n')]).toEqual([0, [expect.stringMatching(/^rollcall: .* \(ENOSPC/u)]]);
});

test('a reader that has gone away ends nothing', async () => {
  const stage = await openStage();
  stage.startBy('sh', '-c', '"$@" | true; sleep 3', 'sh');
  const running = stage.start('sync');
  expect(await loaded(stage)).toBe(true);
  expect((await running.ended).err).toBe('');
  stage.startBy();
  expect((await stage.type('status', '--exit-code')).code).toBe(0);
});

test('a verb whose output is on a full disk says so, and ends with 1', async () => {
  const stage = await openStage();
  stage.startBy('sh', '-c', 'exec "$@" >/dev/full', 'sh');
  expect(await stage.type('plan')).toMatchObject({
    code: 1,
    err: 'rollcall: the output cannot be written (ENOSPC): it is not whole.\n',
  });
});
