import type { Waiting } from '../../changes.ts';
import type { KeptUsername } from '../../records/kept-username.ts';
import type { LandmarkQuery } from './queries.ts';
import type { Shown } from '../shown.ts';
import type { PersonEntry, RecordState } from './entries.ts';
import type { PersonRow } from './person-row.ts';
import type { PageQuery } from './queries.ts';

export interface FoundAgain {
  readonly found: number;
  readonly named: number;
  readonly of: number;
  /** The first five usernames of those who are neither. */
  readonly absent: readonly string[];
}

export interface People {
  /**
   * Gathers, after read and refresh, the records that need a decision, also who has a position in a unit that moves.
   */
  prepare(moving: readonly string[]): void;
  /**
   * Opens, before these units move, whoever has a position there: they are decided anew until imported, whatever its
   * hash says.
   */
  follow(moving: readonly string[]): void;
  /** Rows that need a decision, by source id, in pages. */
  rows(query: PageQuery): readonly PersonRow[];
  /** The same of one record, whether it needs a decision or not. */
  row(id: string): PersonRow;
  entry(id: string): PersonEntry | null;
  byUsername(username: string): PersonEntry | null;
  /** Managed and disabled people with an employee id who have exactly one of these usernames. */
  accounts(usernames: readonly string[]): readonly PersonEntry[];
  /** Everybody with this username in any case, those who were removed too. */
  named(username: string): readonly PersonEntry[];
  /** Managed or disabled and not read back since the last write. */
  unverified(query: PageQuery): readonly PersonEntry[];
  /** Accounts of another username than the source has now. */
  kept(limit: number): readonly KeptUsername[];
  /** The same of one person. */
  keptOf(id: string): KeptUsername | null;
  /** Missing in fewer complete reads than `enough`; they leave after the rest of them. Who misses fewest last. */
  waiting(enough: number): readonly Waiting[];
  /**
   * Returns those whom we changed last, whom we know the shortest, and whom we disabled last, in this order; without
   * those of whom the service has told in this run, and those who are asked for anyway.
   */
  landmarks(query: LandmarkQuery): readonly PersonEntry[];
  /** Notes the account as it was read back: from here on it is called as the view has it under this id. */
  verified(id: string, found: { readonly employeeId: string; readonly accepted: Shown }): void;
  /** The same after all: takes the staged hash and, where given, what is shown now; nothing is open any more. */
  close(id: string, accepted: Shown | null): void;
  /** The same secrets as were sent, under another hash. */
  rehash(id: string, secretHash: string): void;
  missed(id: string, at: number, misses: number): void;
  /** The same person under another source id: only the ledger changes. */
  rekey(from: string, to: string): void;
  /** Ours no longer: in neither the source nor the service. */
  forget(id: string, at: number): void;
  cancelMisses(): void;
  /**
   * Managed people, and how many of them this read of the source has by their ids; `named`: of the others, how many by
   * their usernames alone.
   */
  foundAgain(): FoundAgain;
  counts(): Readonly<Record<RecordState, number>>;
}
