import type { Print } from '../records/recognition.ts';
import type { SourcePart } from '../reading/source-part.ts';
import type { SourceIdentity } from './source-identity.ts';

/** A value of a raw record: absent, one text, or several. */
export type KeptValue = string | readonly string[] | null;

/** Why values of a name are not kept. */
export type NotKept = 'secret' | 'large';

/** Which raw records are kept: of which source, and what it was asked. */
export interface KeptPart extends Pick<SourceIdentity, 'kind' | 'place'> {
  readonly part: SourcePart['part'];
  /** What the records were asked with, by key of the configuration. */
  readonly ask: Readonly<Record<string, string>>;
  /** Names of the values of each record, in their order. */
  readonly names: readonly string[];
}

/** What is known of a part once it was read to its end. */
export interface KeptEnd {
  /** Names that the rules read too, and whose values are not kept. */
  readonly left: Readonly<Record<string, NotKept>>;
  /** Names that the source did not know, with the name that was probably meant. */
  readonly unknown: Readonly<Record<string, string | null>>;
}

/** A raw record as it is kept. */
export interface KeptRow {
  readonly values: readonly KeptValue[];
  /** Ids and usernames of the person whom the record is of; empty for a unit. */
  readonly whose: readonly string[];
  /** Place of the record where it is more than a number. */
  readonly place: string | null;
  /** Places in `values` of names that the source did not know for this record. */
  readonly unknown: readonly number[];
  /** Places in `values` of texts whose bytes are no UTF-8. */
  readonly garbled: readonly number[];
  /** Why the record could not be used whatever the rules say. */
  readonly problem: { readonly field: string; readonly reason: string } | null;
}

/** Takes the records of one part while they are read. */
export interface KeptRows {
  /**
   * @param row decodes the record; not called where equal records are kept together already
   * @param print tells equal records of the part from others; `null`: nothing does but the record
   */
  add(row: () => KeptRow, print: Print | null): void;
  /** @param told is called once all records were decoded that have to be */
  end(told: () => KeptEnd): void;
}

/** The last complete read. */
export interface KeptRead {
  /** When it began, ms. */
  readonly at: number;
  readonly parts: readonly (KeptPart & KeptEnd & { readonly records: number })[];
  /** Yields the records of a part, by its place in `parts`. */
  rows(part: number): Iterable<readonly KeptRow[]>;
  close(): void;
}

/** Age and size of what is kept. */
export interface KeptSize {
  /** When the read began, ms. */
  readonly at: number;
  readonly people: number;
  readonly bytes: number;
}

/**
 * Keeps what the last complete read of the source brought, in a file beside the ledger. What is added takes the place of
 * the older read only when the whole read has proven complete. Nothing here fails a run: `replace` says what went wrong.
 */
export interface SourceKeep {
  /** Begins a read; what was added to one that was not completed is forgotten. */
  begin(at: number): void;
  /** Returns what takes the records of a part; `null`: no read was begun, or it has them already. */
  part(part: KeptPart): KeptRows | null;
  /** Puts this read in place of the older one. Returns why that was not possible, or `null`. */
  replace(): string | null;
  /** Opens the last complete read; `null`: nothing is kept. Throws a LedgerError where it cannot be read. */
  open(): KeptRead | null;
  size(): KeptSize | null;
  /** Erases the records of a person, who is named by ids and usernames. */
  erase(names: readonly string[]): void;
  /** Removes everything that is kept. */
  drop(): void;
}
