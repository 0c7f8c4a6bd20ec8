import type { Guard } from '../../settings.ts';
/** Somebody who has left and still has an active account as last seen, and why (promise 11). */
export interface LeftInside {
  readonly subject: 'person';
  readonly id: string;
  /** Username. */
  readonly label: string;
  /** How they have left: in the words of the source's record, or by having none. */
  readonly left: 'inactive in the source' | 'missing in the source';
  readonly reason: string;
}

export interface LeftInsideQuery {
  /** Complete reads without a person that make a leaver. */
  readonly misses: number;
  /** Said of those whose leaving a guard holds, by guard. */
  readonly held: Readonly<Partial<Record<Guard | 'source', string>>>;
}

/** One of them for whom nothing that is known already says why. */
export interface Unexplained extends Omit<LeftInside, 'reason'> {
  /** Source id of a record of this read that claims the username. */
  readonly claimedBy: string | null;
}

/** The net below every way of leaving. */
export interface LeftInsideList {
  /** At the end of a run, while its staging is there: finds them anew. Returns those without a reason. */
  find(query: LeftInsideQuery): readonly Unexplained[];
  /**
   * Finds, after a run that ended early, those whom its read of the source has as inactive, and whom it had planned to
   * go; who was named before and is still active stays. Returns those without a reason.
   */
  findMore(query: Omit<LeftInsideQuery, 'held'>): readonly Unexplained[];
  explain(id: string, reason: string): void;
  /** Returns them as the last run has found them, by username. */
  list(limit: number): readonly LeftInside[];
  count(): number;
}
