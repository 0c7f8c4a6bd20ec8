import { readFileSync, readlinkSync } from 'node:fs';

/** Clock that tests can move. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Waits; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest delay that a timer of Node takes; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(Math.ceil(ms), LONGEST_MS),
      );
      signal.addEventListener('abort', stop, { once: true });
    }),
};

/**
 * Returns the id of this start of the machine, which only Linux tells; elsewhere two processes cannot compare
 * their watches.
 */
function bootId(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // A container may have a different time from its machine.
    return `${boot} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return null;
  }
}

/** The port `Watch`: ms of the one system clock that cannot be set. */
export const systemWatch = {
  boot: bootId(),
  now: (): number => Number(process.hrtime.bigint() / 1_000_000n),
};

/** Waits for a promise, but no longer than until the signal is aborted: then rejects with its reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
