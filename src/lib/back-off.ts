export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the milliseconds to wait after the attempt of this number has failed: doubled each time, the upper half of it
 * by chance, so that callers who failed together do not come back together.
 * @param attempt 1 after the first failure
 * @param random from 0 to 1
 */
export function backOffMs(attempt: number, { firstMs, longestMs }: BackOff, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return full * (0.5 + random / 2);
}
