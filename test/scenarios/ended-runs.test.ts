import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company } from './company.ts';
import { expectedState } from './expected-state.ts';
import { expectSettled, openHr } from './kills.ts';
import { stateOf } from '../sync/world.ts';
import { configText, eventsOf, type Stage, type Typed } from '../commands/command-line.ts';

const WORLD = company({ units: 12, people: 60 });

const endOf = ({ out }: Typed): unknown => eventsOf(out).findLast(({ event }) => event === 'run.end');

/** Each person is a call of its own, eight at a time. */
async function openSingly(token = '${TOKEN}'): Promise<Stage> {
  const stage = await openHr(WORLD);
  const text = configText(stage.sandbox)
    .replace('requestsPerSecond: 1000', 'requestsPerSecond: 1000, peoplePerImport: 1, concurrency: 8')
    .replace('is_primary }', 'is_primary, chief: is_chief }')
    .replace('token: ${TOKEN}', `token: ${token}`);
  writeFileSync(stage.configFile, text);
  return stage;
}

test('five different calls that fail: exit 1; run.end and status tell why, and the next run goes on', async () => {
  const stage = await openSingly();
  let imports = 0;
  stage.sandbox.onCall = ({ operation }) => {
    imports += operation === 'importEmployees' ? 1 : 0;
    if (imports === 20) stage.sandbox.setFaults('seed=1,rate=1,kinds=500,ops=importEmployees');
  };
  const ran = await stage.type('sync');
  const sentence = /The service failed 5 different calls in a row, each tried again: .*HTTP 500/u;
  expect(ran.code).toBe(1);
  expect(endOf(ran)).toMatchObject({
    result: 'failed',
    error: expect.stringMatching(sentence) as string,
  });
  const status = await stage.type('status', '--exit-code');
  expect([status.code, status.out]).toEqual([1, expect.stringMatching(sentence)]);
  stage.sandbox.onCall = undefined;
  stage.sandbox.setFaults(undefined);
  await expectSettled(stage, WORLD);
});

test('each line of a run has run and event, also those of calls and retries', async () => {
  const stage = await openSingly();
  stage.sandbox.setFaults('seed=1,rate=1,kinds=500,max=1,ops=pageUsers');
  const ran = await stage.type('sync');
  const lines = eventsOf(ran.out);
  const events = new Set(lines.map(({ event }) => event));
  expect([...events]).toEqual(expect.arrayContaining(['call.retry', 'call.sent', 'run.end']));
  expect(events.has(undefined)).toBe(false);
  expect(new Set(lines.map(({ run }) => run))).toEqual(new Set([expect.any(String)]));
});

test('a token in a file that is exchanged in the middle of a run: read again, exit 0, and in no log', async () => {
  const stage = await openSingly('${file:./token}');
  const file = join(stage.folder, 'token');
  writeFileSync(file, stage.sandbox.token);
  let imports = 0;
  stage.sandbox.onCall = ({ operation }) => {
    imports += operation === 'importEmployees' ? 1 : 0;
    if (imports !== 20) return;
    writeFileSync(file, 'the-second-token');
    stage.sandbox.setToken('the-second-token');
  };
  const ran = await stage.type('sync');
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(ran.out).not.toMatch(/sandbox-token|the-second-token/u);
  expect(stateOf(stage.sandbox)).toEqual(expectedState(WORLD));
  stage.sandbox.onCall = undefined;
  await expectSettled(stage, WORLD);
});
