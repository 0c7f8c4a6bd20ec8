import { setImmediate } from 'node:timers/promises';

/** Lets everything else that waits go on: the daemon answers, the log is written. */
export async function othersGo(): Promise<void> {
  await setImmediate();
  // After an answer, the first one still belongs to the round in which the answer came: no timer has its turn.
  await setImmediate();
}

/** How many items are gone through at once: some ten milliseconds. */
const AT_ONCE = 500;

/** Goes through as many items as there are, and lets others go on every now and then. */
export async function* unhurried<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let at = 0;
  for (const item of items) {
    yield item;
    at += 1;
    if (at % AT_ONCE === 0) await othersGo();
  }
}

/** Does work of which each step may take a second with 1,000,000 people, and lets others go on in between. */
export async function inSteps<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await othersGo();
  }
}

/** Does such work in one go, where nothing may come in between. */
export function atOnce<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
