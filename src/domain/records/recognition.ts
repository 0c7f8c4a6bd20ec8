/**
 * Hash of a record as the source delivered it, before anything of it is decoded, and of what else decides what becomes
 * of it: 132 bits as base64url.
 */
export type Print = string;

/**
 * Recognizes people whose records are as they were when the ledger last compared them, before anything of these is
 * decoded or mapped.
 */
export interface Recognition {
  /** What decides what becomes of a record beside the record itself, as a text: goes into every print. */
  readonly salt: string;
  /**
   * Returns whether the ledger knows the person of this print, who is then marked as seen and not yielded.
   *
   * @param key as `RecordKey`, where increments are wanted and the record has one
   */
  isKnown(print: Print, key?: string): boolean;
}
