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
   * Returns for each print of a page whether the ledger knows its person, who is then marked as seen and not yielded.
   * Records without a print are known to nobody.
   *
   * @param keys of the same records, as `RecordKey`, where increments are wanted; `null`: the record has none
   */
  areKnown(prints: readonly (Print | null)[], keys?: readonly (string | null)[]): readonly boolean[];
}
