import { setImmediate } from 'node:timers/promises';

/** Lets everything else that waits go on: the daemon answers, the log is written. */
export const othersGo = (): Promise<void> => setImmediate();

/** Does work of which each step may take a second with 1,000,000 people, and lets others go on in between. */
export async function inSteps(steps: Iterator<unknown>): Promise<void> {
  while (steps.next().done !== true) await othersGo();
}
