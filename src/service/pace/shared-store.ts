import type { RateLimiterStoreAbstract } from 'rate-limiter-flexible';

/** How turns are handed out: at most `points` of them in `ms` milliseconds. */
export interface TurnWindow {
  readonly points: number;
  readonly ms: number;
}

/** A store that several processes take their turns from. */
export interface SharedStore {
  readonly limiter: RateLimiterStoreAbstract;
  close(): Promise<void>;
}

/** Opens the store. Rejects with what the driver says where it cannot be reached. */
export type OpenStore = (window: TurnWindow) => Promise<SharedStore>;

/** How long one question to the store may take, ms. */
export const ANSWER_WITHIN_MS = 5_000;

const WINDOWS_A_SECOND = 10;

/**
 * Returns windows of a tenth of a second, or of one turn where the rate is lower: no second sees more than the rate and
 * one window more.
 */
export function windowOf(requestsPerSecond: number): TurnWindow {
  const points = Math.max(1, Math.floor(requestsPerSecond / WINDOWS_A_SECOND));
  let ms = Math.ceil((points * 1000) / requestsPerSecond);
  // The limiters take seconds, and make whole milliseconds of them again.
  while ((ms / 1000) * 1000 !== ms) ms += 1;
  return { points, ms };
}
