import { setMaxListeners } from 'node:events';

/** Returns a signal that is aborted with either of the two. Any number of calls may listen to it: Node warns of a leak above ten. */
export function eitherSignal(one: AbortSignal, other: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([one, other]);
  setMaxListeners(0, signal);
  return signal;
}
