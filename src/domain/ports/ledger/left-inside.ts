import type { Blocked } from '../../changes.ts';

/** How a leaver is named whose record said so until the value that said it went missing. */
export const SILENTLY = 'inactive in the source before, and what said so is absent now';

/** Why leavers are active whose leaving is only reported. */
export const REPORTED = 'nothing is sent (sync.mode: report)';

/** How a person has left. */
export const LEFT = ['inactive in the source', 'missing in the source', SILENTLY] as const;

/** A leaver whose account was last seen active, and why that is so (promise 11). */
export interface LeftInside extends Omit<Blocked, 'goesOn'> {
  readonly subject: 'person';
  /** How they have left: their record says so, there is none, or it said so until what says it was gone. */
  readonly left: (typeof LEFT)[number];
}

export interface LeftInsideQuery {
  /** Number of complete reads without a person that make a leaver. */
  readonly misses: number;
  /**
   * Whether the run has decided about all people. If not, only inactive people whose leaving it had planned are added.
   * People who were listed before and are still active stay listed.
   */
  readonly isDecided: boolean;
  /** Whether the plan is not carried out: people whom it would disable or remove are no leavers that stay. */
  readonly isForeseen: boolean;
  /** Whether a person says that the source is right: then nothing that it says no more is hidden. */
  readonly isRight: boolean;
  /** Returns whether the absence of a value, by its name, explains that somebody is back: a lock that others show. */
  readonly isUnlock: (name: string) => boolean;
}

/** Such a person for whom no known fact gives the reason. */
export interface Unexplained extends Omit<LeftInside, 'reason'> {
  /** Source id of a record of this read that claims the username. */
  readonly claimedBy: string | null;
}

/** The list of all leavers whose account is active. It finds what every other rule misses. */
export interface LeftInsideList {
  /**
   * Finds all such leavers anew at the end of a run, while its staging exists. `reasonOf` gives a reason to
   * those that have none; these are returned.
   */
  find(query: LeftInsideQuery, reasonOf: (one: Unexplained) => string): readonly LeftInside[];
  /** Names one more person, unless the account is not active. Returns whether it is. */
  add(one: LeftInside): boolean;
  /** Returns how many the last run found, and the first of them by username. */
  list(limit: number): { readonly count: number; readonly first: readonly LeftInside[] };
}
