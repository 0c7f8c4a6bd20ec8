/** A watch that nobody can set: it tells how long something took, whatever is done to the clock meanwhile. */
export interface Watch {
  /** Which start of this machine its time counts from; `null` where that cannot be told. */
  readonly boot: string | null;
  /** ms; the same for every process since one start of the machine. */
  now(): number;
}
