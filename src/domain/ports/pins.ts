import type { Pin, Wanted } from '../reverting/pin.ts';

/** The records that `revert --hold` keeps from the source. */
export interface Pins {
  /** Returns the pins that have not ended at this time, ms, by kind and id. */
  active(now: number): readonly Pin[];
  /** Pins a record, in place of an earlier pin of it. */
  set(wanted: Wanted, term: { readonly at: number; readonly ms: number }): void;
  release(subject: Pin['subject'], id: string): void;
  /** Forgets pins that have ended at this time, ms. */
  prune(now: number): void;
}
