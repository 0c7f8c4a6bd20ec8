/**
 * A watch that nobody can set: it measures how long something took, whatever is done to the clock meanwhile.
 */
export interface Watch {
  /** The start of this machine from which its time counts; `null` where that is not known. */
  readonly boot: string | null;
  /** Returns milliseconds since that start; the same for every process. */
  now(): number;
}
