import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { systemWatch } from '../../src/lib/clock.ts';
import { isHealthy } from '../../src/runtime/health.ts';
import { compiled } from './compiled.ts';

let dir = '';
const cleanups: (() => void)[] = [];

beforeAll(() => {
  dir = compiled(['src/domain', 'src/lib', 'src/runtime', 'test/runtime/fixtures']);
});
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A daemon process whose first run is over. */
async function daemon(endsAfter: number) {
  const state = join(dir, 'rollcall.db');
  const script = join(dir, 'test/runtime/fixtures/daemon-process.js');
  const child = spawn(process.execPath, [script, state, String(endsAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  cleanups.push(() => child.kill('SIGKILL'));
  const seen: string[] = [];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const until = async (message: string): Promise<void> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`ended before "${message}"`);
      const { msg } = JSON.parse(value) as { readonly msg: string };
      seen.push(msg);
      if (msg === message) return;
    }
  };
  await until('run begun');
  return { child, exit, until, seen, state };
}

it('a real process beats, lives on after SIGHUP with a bad configuration, runs on SIGUSR2, ends 0 on SIGTERM', async () => {
  const { child, exit, until, seen, state } = await daemon(50);
  expect(isHealthy(`${state}.heartbeat`, { time: Date.now(), watch: systemWatch })).toBe(true);
  child.kill('SIGHUP');
  await until('the configuration cannot be used; the old one stays');
  child.kill('SIGUSR2');
  await until('run begun');
  child.kill('SIGTERM');
  await until('run finished');
  expect(seen.at(-2)).toBe('stopping: the calls in flight are finished first');
  expect(await exit).toEqual([0, null]);
});

it('a real process exits at once on the second signal', async () => {
  const { child, exit, until } = await daemon(60_000);
  child.kill('SIGUSR2');
  await until('run begun');
  child.kill('SIGTERM');
  await until('stopping: the calls in flight are finished first');
  child.kill('SIGINT');
  expect(await exit).toEqual([1, null]);
});

it('a real process without a run ends 0 on SIGINT', async () => {
  const { child, exit } = await daemon(0);
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
});
