import type { ReadMark, RecordKey } from '../reading/increment.ts';
import type { Decisive, Print } from '../records/records.ts';
import type { ComparedPerson } from '../records/payload.ts';

/**
 * The result of a record that matches no person of the ledger. It is the same at every read, so that no later
 * read has to decode the record.
 */
export type Replay =
  /**
   * Source id of a person whom `source.people.where` leaves out; empty: there is no id. `has`: the values of
   * the names that decide; `null` or absent: they were not read.
   */
  | { readonly out: string; readonly has?: Decisive | null }
  /** A person who is not active, without secrets, losses and problems. */
  | { readonly inactive: ComparedPerson & { readonly has?: Decisive | null } };

/** A record of the source as it was last read. */
export interface SourceRecord {
  readonly key: RecordKey;
  /**
   * As in `Recognition`; `null`: the print does not cover all that decides about the record. If the print
   * matches no person of the ledger and there is no `replay`, every run has to read the record.
   */
  readonly print: Print | null;
  readonly replay: Replay | null;
}

/** What the records of the last complete read can be used for. */
export interface KnownRecords {
  /** Identity of the source. */
  readonly identity: string;
  /** Digest of all that decides besides the records: with another one no print of the table means anything. */
  readonly basis: string;
  readonly mark: ReadMark;
  /** When the last full read of the source began, ms. */
  readonly fullAt: number;
  /** How many records there were. */
  readonly records: number;
}

/** The ledger's fact on increments. */
export interface IncrementsFact {
  /** `null`: the next read is a full one. */
  readonly known: KnownRecords | null;
  /** Why the last read was a full one; `null`: it was an increment. */
  readonly why: string | null;
}
