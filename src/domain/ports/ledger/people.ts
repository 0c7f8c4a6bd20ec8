import type { WaitingLeavers } from '../../changes.ts';
import type { PersonEntry } from './entries.ts';
import type { RecordState } from '../../records/next.ts';
import type { PersonRow } from './person-row.ts';
import type { PageQuery } from './view.ts';
import type { KnownAccount } from '../service.ts';
import type { Shown } from '../shown.ts';
import type { KeptUsername } from '../../records/account-named.ts';

/**
 * What was found about a person to whom nothing is sent.
 *
 * - `unchanged`: the record is unchanged after all: the staged hash is taken and, if given, what is shown now
 * - `missing`: the person was missing in so many complete reads; `at`, ms
 * - `nowhere`: the person is in neither the source nor the service; an account that was asked for may show up for a week
 */
export type PersonFound =
  | { readonly is: 'unchanged'; readonly accepted: Shown | null }
  | { readonly is: 'missing'; readonly misses: number; readonly at: number }
  | { readonly is: 'nowhere'; readonly at: number };

export interface People {
  /**
   * Gathers the records that need a decision, after read and refresh; also people who were last sent to another node than
   * these. In steps.
   *
   * @param standing organization ids of the nodes that units have and keep
   */
  prepare(standing: ReadonlySet<string>): Generator<void, void>;
  /**
   * Notes where each ref of the read leads. Whoever is at a place to which a ref led that is gone, or leads elsewhere now,
   * is recognized by no print any more; so is whoever is at the root, if a ref led nowhere. In steps.
   *
   * @param places source ids of units by ref, empty for the service's root, `null` for no place
   */
  followPlaces(places: ReadonlyMap<string, string | null>): Generator<void, void>;
  /** Returns the rows that need a decision, by source id, in pages; or that of one record, whether it needs one or not. */
  rows(query: PageQuery | { readonly id: string }): readonly PersonRow[];
  entry(id: string): PersonEntry | null;
  /** Returns the source ids of people with one of these usernames, in the account or in the source, in any case. */
  idsOf(usernames: readonly string[]): ReadonlySet<string>;
  /** Returns the known accounts with exactly one of these usernames: those of managed and disabled people. */
  accounts(usernames: readonly string[]): readonly KnownAccount[];
  /**
   * Returns all people with this username, in the account or in the source, or with this display name as it was sent, in any case. Removed
   * people are included.
   */
  named(name: string, by: 'username' | 'displayName'): readonly PersonEntry[];
  /** Returns people with this text in the username or the display name as it was sent, by username. */
  like(text: string, limit: number): readonly PersonEntry[];
  /**
   * Returns managed people who were not read back since the last write. An account that others have locked is left out:
   * nothing is sent to it, and who comes back to it is written anew.
   */
  unverified(query: PageQuery): readonly PersonEntry[];
  /** Returns accounts with another username than the source has now. */
  kept(limit: number): readonly KeptUsername[];
  /**
   * Returns people who were missing in fewer complete reads than `enough` and leave after the rest of them.
   * Those with the fewest misses come last.
   */
  waiting(enough: number): readonly WaitingLeavers[];
  /** Notes what was found about a person to whom nothing is sent. */
  note(id: string, found: PersonFound): void;
  /** Returns whether `sync.protect.where` held for this person when they were last read. */
  isProtected(id: string): boolean;
  /**
   * Gives the person another source id, as was approved; only the ledger changes. From `FORGOTTEN`, only the username may
   * be used again.
   */
  rekey(from: string, to: Pick<PersonEntry, 'id' | 'username'>): void;
  cancelMisses(): void;
  /**
   * Counts managed people in units, each once, until every unit has as many as are asked for; yields now and then.
   *
   * @param atMost how many to count, by source id of the unit
   * @param above the unit, and each one above it
   */
  countIn(
    atMost: ReadonlyMap<string, number>,
    above: (unit: string) => readonly string[],
  ): Generator<void, ReadonlyMap<string, number>>;
  /**
   * Returns how many people there are; `part`: only those that this part of the source brought last, see
   * `Placed.broughtBy`.
   */
  counts(part?: string): Readonly<Record<RecordState, number>>;
}

export interface Erased {
  /** How many entries of the history were erased. */
  readonly entries: number;
  /** `false` if others are reading the file: old bytes are left in its log. */
  readonly isWiped: boolean;
}

/** People who were erased. Of each username a keyed hash is left, so that it does not go to a stranger (promise 4). */
export interface Forgotten {
  /** Returns whether the username, in any case, was that of a forgotten person. */
  has(username: string): boolean;
  /**
   * Erases a person, wherever the ledger has them, and keeps the username as a hash; `null`: that was done before. Then
   * removes the copies of plans and rewrites the file, so that nothing of what was erased is left in them.
   */
  erase(entry: PersonEntry | null): Erased;
}
