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
}

/** The ledger's fact on increments. */
export interface IncrementsFact {
  /** `null`: the next read is a full one. */
  readonly known: KnownRecords | null;
  /** Why the last read was a full one; `null`: it was an increment. */
  readonly why: string | null;
}

/**
 * The source's records of people, by their keys, as the last complete read found them; and those of the read that goes
 * on, which take their place when it has proven complete. What is noted of a read lives in staging.
 */
export interface SourceRecords {
  /** Begins a read, after `SourceStage.begin`. */
  begin(): void;
  /** Notes a record that this read brought. */
  note(record: SourceRecord): void;
  /** Returns how many records were noted. */
  noted(): number;
  /** Returns a key that several of the noted records have; `null`: each has its own. Called after the last one. */
  shared(): RecordKey | null;
  /**
   * Returns at most `atMost` keys of records whose result is unknown until they are read again. Called once,
   * before `markStanding` and `replays`.
   */
  again(atMost: number): readonly RecordKey[];
  /** Returns how many records there were at the last read. */
  count(): number;
  /** Notes keys that the source lists as present. Returns one that it has listed before; `null`: none. */
  present(keys: Iterable<RecordKey>): RecordKey | null;
  /** Returns keys that are present, that no read has brought and that this one has not brought, at most so many. */
  unread(atMost: number): readonly RecordKey[];
  /** Notes records of the last read that are not present any more and that this one has not brought as gone. */
  absentAreGone(): void;
  /** Notes records that are gone. */
  gone(keys: Iterable<RecordKey>): void;
  /** Returns a key that is noted both as brought and as gone; `null`: none is. */
  contradiction(): RecordKey | null;
  /** Returns how many of these were neither brought nor gone. */
  missing(keys: readonly RecordKey[]): number;
  /** Marks all people whose record is unchanged as seen. Returns how many records these are. */
  markStanding(): number;
  /** Yields what the other records come to that stay as they were. */
  replays(): Iterable<{ readonly print: Print; readonly replay: Replay }>;
  /** Puts a full read in place of what is known. */
  keepAll(): void;
  /** Puts what was brought and what is gone down into what is known. */
  keepChanges(): void;
  /** Forgets all records. */
  clear(): void;
}
