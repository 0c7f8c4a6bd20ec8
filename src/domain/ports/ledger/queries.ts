/** How many accounts of each kind: see `People.landmarks`. */
export interface LandmarkQuery {
  /** Changed by us last. */
  readonly changed: number;
  /** Known to us the shortest. */
  readonly known: number;
  /** Disabled by us last. */
  readonly disabled: number;
}

/** Keyset paging: what comes after this key. */
export interface PageQuery {
  readonly after: string;
  readonly limit: number;
}
