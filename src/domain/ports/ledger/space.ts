/** Room that the ledger's file takes on the disk. */
export interface Space {
  /**
   * Gives free pages back to the file system: a bounded number, so that no run stalls, and not those that the next runs
   * are going to fill. Does nothing while the file is rigid.
   */
  giveBack(): void;
  /** Returns the bytes of the file. */
  bytes(): number;
  /** Returns whether an older version has made the file, which can give nothing back. */
  isRigid(): boolean;
  /**
   * Returns the bytes that have to be free beside the file, and in the folder for temporary files, to write it anew, and
   * are not; `null`: there is room.
   */
  lackingRoom(): number | null;
  /**
   * Writes the file anew, after which it can give pages back. Nothing else goes on meanwhile, about half a minute for a
   * GB. Throws a LedgerError where it cannot; then the file stays as it is.
   */
  writeAnew(): void;
}
