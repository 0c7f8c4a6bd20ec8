/** Clocks that differ by no more than this are the same: a connection takes its time. */
const SAME_MS = 60_000;

/** A server's clock at one read. */
interface ServerClock {
  /** How far it is ahead of our own clock, ms. */
  readonly aheadOfUs: number;
}

/**
 * Returns whether a server's clock went back since an earlier read. Measured by our own clock: one that was ahead and is
 * right again may have passed the time of that read already.
 *
 * @param overlapMs by how much it may go back without that a change is missed
 */
export function wentBack(before: ServerClock, now: ServerClock, overlapMs: number): boolean {
  return before.aheadOfUs - now.aheadOfUs > Math.max(overlapMs, SAME_MS);
}
