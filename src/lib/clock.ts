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
