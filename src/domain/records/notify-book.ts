/** What was told, to be remembered between runs. Times are ms since the epoch. */
export interface NotifyBook {
  /** Hashes that were told and are still held, and when: one that comes back is news. */
  readonly held: Readonly<Record<string, number>>;
  /** Something that was told is not held any more, and nobody was told that all is well. */
  readonly wasHeld?: boolean;
  /** How many runs failed one after the other. */
  readonly failures: number;
  /** When the failure was told; `null`: it was not. */
  readonly failedAt: number | null;
  /** When it was told that records fail; `null`: none do, or nobody was told. */
  readonly partialAt: number | null;
  /** Whom the message about failing records was about: those who come later are news. */
  readonly inTrouble?: readonly string[];
  /** When the last digest was made: the next one tells what was done since then. */
  readonly digest: { readonly since: number };
  /** Times of the messages of the last day. */
  readonly sent: readonly number[];
  /** Why the last message was not sent; `null`: it was. */
  readonly lastError: { readonly at: number; readonly reason: string } | null;
  /** Since when messages wait because there were too many in a day; absent: none waits. */
  readonly waitingSince?: number;
}

/** What was done in a day. */
export interface Digest {
  readonly joined: number;
  readonly left: number;
  readonly moved: number;
  readonly updated: number;
  /** The first who joined, left or moved, each with what they did in a word. */
  readonly named: readonly { readonly what: 'joined' | 'left' | 'moved'; readonly name: string }[];
}
