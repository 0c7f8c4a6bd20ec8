import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { company } from './company.ts';
import { openHr } from './kills.ts';
import { configText, eventsOf, type Stage } from '../commands/command-line.ts';

const WORLD = company({ units: 12, people: 60 });

/** Each person is a call of its own, eight at a time. */
async function openSingly(token = '${TOKEN}'): Promise<Stage> {
  const stage = await openHr(WORLD);
  stage.sandbox.setReadings(['maxBatch=1']);
  const text = configText(stage.sandbox)
    .replace('requestsPerSecond: 1000', 'requestsPerSecond: 1000, concurrency: 8')
    .replace('is_primary }', 'is_primary, chief: is_chief }')
    .replace('token: ${TOKEN}', `token: ${token}`);
  writeFileSync(stage.configFile, text);
  return stage;
}

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
