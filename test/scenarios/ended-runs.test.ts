import { expect, test } from 'vitest';
import { eventsOf, openStage } from '../commands/command-line.ts';

test('each line of a run has run and event, also those of calls and retries', async () => {
  const stage = await openStage({ readings: ['maxBatch=1'] });
  stage.sandbox.setFaults('seed=1,rate=1,kinds=500,max=1,ops=pageUsers');
  const ran = await stage.type('sync');
  const lines = eventsOf(ran.out);
  const events = new Set(lines.map(({ event }) => event));
  expect([...events]).toEqual(expect.arrayContaining(['call.retry', 'call.sent', 'run.end']));
  expect(events.has(undefined)).toBe(false);
  expect(new Set(lines.map(({ run }) => run))).toEqual(new Set([expect.any(String)]));
});
