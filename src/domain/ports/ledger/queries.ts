/** Number of accounts of each kind: see `People.landmarks`. */
export interface LandmarkQuery {
  /** Number of accounts that we changed last. */
  readonly changed: number;
  /** Number of accounts that we have known the shortest. */
  readonly known: number;
  /** Number of accounts that we disabled last. */
  readonly disabled: number;
}

/** Keyset paging: asks for what comes after this key. */
export interface PageQuery {
  readonly after: string;
  readonly limit: number;
}
