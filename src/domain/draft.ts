/** A configuration that is proposed, before it is text. */

/** A value that stands on one line. */
export type DraftValue =
  string | number | boolean | null | readonly DraftValue[] | { readonly [key: string]: DraftValue };

export interface DraftEntry {
  readonly key: string;
  /** Entries below it, or its value. */
  readonly value: DraftValue | DraftSection;
  /** Why it is so: stands behind the value. */
  readonly because?: string | undefined;
  /** Whether `${…}` in it is meant to be resolved; otherwise it stands for itself. */
  readonly refers?: boolean | undefined;
}

export class DraftSection {
  readonly entries: readonly DraftEntry[];

  constructor(entries: readonly (DraftEntry | null)[]) {
    this.entries = entries.filter((entry) => entry !== null);
  }
}

/** What stands in a draft where a person has to write something; a file that still has it is refused. */
export const PLACEHOLDER = 'CHANGE-ME';

/** What a look at a source leads to. */
export interface Draft {
  readonly entries: readonly DraftEntry[];
  /** What was assumed, as sentences for a person. */
  readonly assumed: readonly string[];
  /** What could not be found out and has to be written by hand; empty: nothing. */
  readonly gaps: readonly string[];
}
