/**
 * A clock that cannot be set. It measures how long something took, even if the system clock changes
 * meanwhile.
 */
export interface Watch {
  /** The start of this machine from which its time counts; `null` if that is not known. */
  readonly boot: string | null;
  /** Returns milliseconds since that start; the same for every process. */
  now(): number;
}
