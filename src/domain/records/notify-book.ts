/** What was told, to be remembered between runs. Times are ms since the epoch. */
export interface NotifyBook {
  /** Hashes that were told, and when. */
  readonly held: Readonly<Record<string, number>>;
  /** How many runs failed one after the other. */
  readonly failures: number;
  /** When the failure was told; `null`: it was not. */
  readonly failedAt: number | null;
  /** When it was told that records fail; `null`: none do, or nobody was told. */
  readonly partialAt: number | null;
  /** Joiners, leavers and moves since the last digest, which was made then. */
  readonly digest: { readonly since: number; readonly counts: Digest };
  /** Times of the messages of the last day. */
  readonly sent: readonly number[];
  /** Why the last message was not sent; `null`: it was. */
  readonly lastError: { readonly at: number; readonly reason: string } | null;
}

export interface Digest {
  readonly joined: number;
  readonly left: number;
  readonly moved: number;
  readonly updated: number;
}
