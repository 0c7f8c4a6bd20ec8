import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inSteps, othersGo } from '../../src/lib/in-steps.ts';

/** Does nothing else for longer than a timer waits. */
function busy(): void {
  const end = performance.now() + 5;
  while (performance.now() < end);
}

test('a timer that is due has its turn, also right after an answer', async () => {
  await stat('.');
  let rings = 0;
  setTimeout(() => (rings += 1), 1);
  busy();
  await othersGo();
  expect(rings).toBe(1);
});

test('a timer has its turn between any two steps', async () => {
  await stat('.');
  let rings = 0;
  const heard: number[] = [];
  const timer = setInterval(() => (rings += 1), 1);
  function* steps(): Generator<void, string> {
    for (let step = 0; step < 3; step += 1) {
      heard.push(rings);
      rings = 0;
      busy();
      yield;
    }
    return 'done';
  }
  expect(await inSteps(steps())).toBe('done');
  clearInterval(timer);
  expect(heard.slice(1)).not.toContain(0);
});
