import { expect, it } from 'vitest';
import { RunQueue, type RunRequest } from '../../src/runtime/run-queue.ts';

/** A queue whose runs end one by one when told to. */
function queueOf() {
  const started: RunRequest[] = [];
  const skipped: string[] = [];
  let end: (() => void) | undefined;
  const queue = new RunQueue({
    run: (request) =>
      new Promise<void>((resolve) => {
        started.push(request);
        end = resolve;
      }),
    skipped: ({ trigger, full }, reason) => void skipped.push(`${trigger}${full ? ' full' : ''}: ${reason}`),
  });
  const endRun = async (): Promise<void> => {
    end?.();
    await new Promise(setImmediate);
  };
  return { queue, started, skipped, endRun };
}

const cron: RunRequest = { full: false, trigger: 'cron' };
const signal: RunRequest = { full: false, trigger: 'signal' };
const full: RunRequest = { full: true, trigger: 'fullCron' };

it('a run asked for during a run follows it', async () => {
  const { queue, started, endRun } = queueOf();
  queue.add(cron);
  queue.add(signal);
  expect(started).toEqual([cron]);
  await endRun();
  expect(started).toEqual([cron, signal]);
  await endRun();
  queue.add(cron);
  expect(started).toEqual([cron, signal, cron]);
});

it('only one waits, a full one before others, and what does not wait is said', async () => {
  const { queue, started, skipped, endRun } = queueOf();
  queue.add(cron);
  queue.add(signal);
  queue.add(cron);
  queue.add(full);
  queue.add(signal);
  queue.add(full);
  await endRun();
  await endRun();
  expect(started).toEqual([cron, full]);
  expect(skipped).toEqual(['cron: pending', 'signal: pending', 'signal: pending', 'fullCron full: pending']);
});

it('stopped, it ends with the run that runs and takes no other', async () => {
  const { queue, started, skipped, endRun } = queueOf();
  queue.add(cron);
  queue.add(full);
  let ended = false;
  const stopping = queue.stop().then(() => (ended = true));
  queue.add(signal);
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  await endRun();
  await stopping;
  expect(started).toEqual([cron]);
  expect(skipped).toEqual(['fullCron full: stopping', 'signal: stopping']);
});

it('a run that someone waits for begins at once or not at all', async () => {
  const { queue, started, skipped, endRun } = queueOf();
  expect(queue.addIfIdle(signal)).toBe('begun');
  expect(queue.addIfIdle(signal)).toBe('busy');
  queue.add(cron);
  await endRun();
  expect(queue.addIfIdle(signal)).toBe('busy');
  await endRun();
  const end = queue.stop();
  expect(queue.addIfIdle(signal)).toBe('stopping');
  await end;
  expect([started, skipped]).toEqual([[signal, cron], []]);
});
