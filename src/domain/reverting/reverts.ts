/** What a plan puts back of a run, and what it does not. Labels are `username (id)`, or `unit NAME (id)`. */
export interface Reverts {
  /** Id of the run. */
  readonly run: string;
  /** Number of records that the run changed and that were asked for. */
  readonly records: number;
  /** How many of them are put back, wholly or in part. */
  readonly back: number;
  /** How many of them are held from the source. */
  readonly holds: number;
  /** How many of them are as they were before already. */
  readonly asBefore: number;
  /** What cannot be undone at all. */
  readonly cannot: readonly NotBack[];
  /** What has changed since, and is left as it is. */
  readonly left: readonly NotBack[];
  /** Records of which the next run would make the same again, because the source says so. */
  readonly again: readonly string[];
  /** People who have left in the source, and are active after the revert: they are named until that is settled. */
  readonly leavers: readonly string[];
  /** Records that an earlier revert holds from the source, and this one no longer. */
  readonly freed: readonly string[];
  /** Accounts that the run made, and that are disabled. */
  readonly disabled: number;
  /** Units that move back: their nodes are made anew once more. */
  readonly moved: number;
  /** For how long the records are held from the source, days; 0: they are not. */
  readonly holdDays: number;
}

export interface NotBack {
  readonly label: string;
  readonly text: string;
}
