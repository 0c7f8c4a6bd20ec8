/** Offsets of the parts of an entry in the bytes that it came in; each end is the first byte after the part. */
export interface EntryPlace {
  readonly bytes: Buffer;
  readonly dnStart: number;
  readonly dnEnd: number;
  /** Content of its list of attributes: each a sequence of its description and the set of its values. */
  readonly listStart: number;
  readonly listEnd: number;
}
