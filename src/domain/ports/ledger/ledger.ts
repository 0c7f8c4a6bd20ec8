import type { Approvals } from './approvals.ts';
import type { History } from '../history.ts';
import type { Journal } from './journal.ts';
import type { LedgerFacts } from './ledger-facts.ts';
import type { LeftInsideList } from './left-inside.ts';
import type { PlanBook } from './plan-book.ts';
import type { Troubles } from './troubles.ts';
import type { Forgotten, People } from './people.ts';
import type { SeenRecords, SourceStage } from './source-stage.ts';
import type { View } from './view.ts';
import type { Units } from './units.ts';
import type { Lease, Runs } from './runs.ts';

/** Port: the local SQLite file. Everything is synchronous, so no other call can come in between. */
export interface Ledger {
  readonly staging: SourceStage;
  readonly plan: PlanBook;
  readonly view: View;
  readonly people: People;
  readonly units: Units;
  readonly journal: Journal;
  readonly history: History;
  readonly forgotten: Forgotten;
  readonly troubles: Troubles;
  readonly approvals: Approvals;
  readonly seen: SeenRecords;
  readonly leftInside: LeftInsideList;
  readonly runs: Runs;
  readonly lease: Lease;
  fact<K extends keyof LedgerFacts>(name: K): LedgerFacts[K] | null;
  setFacts(facts: Partial<LedgerFacts>): void;
  /**
   * Returns a hash of a text, to see whether the text changed. It uses the key that lies next to the ledger,
   * so that the text cannot be found by trying.
   */
  keyed(text: string): string;
  /**
   * Sets times that a wrong clock has put into the future to this one: what is counted from them (the days of
   * the disabled, approvals, repairs, what guards count) is counted from now on. Then drops approvals from before
   * `lapsed`, ms.
   */
  noneAfter(latest: number, lapsed: number): void;
  /**
   * Forgets what is old and done, and gives free pages back to the file system: a bounded number, so that no run stalls,
   * and not those that the next runs are going to fill.
   */
  forgetOld(old: Old): void;
  transaction<T>(work: () => T): T;
  /** Throws a LedgerError if the disk has no room for a run. */
  requireRoom(): void;
  close(): void;
}

/** Until when, ms, what is kept can be forgotten. */
export interface Old {
  /** Settled calls, runs and answers from before this time, and repairs from a week before. */
  readonly calls: number;
  /** Quiet runs that began before this time; the last 1,000 runs of any kind stay. */
  readonly quietRuns: number;
  /** Entries of the history from before this time. */
  readonly history: number;
}

/** A full look that failed is made again no later than this, ms. */
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/**
 * Returns from when on a run reads all of the service, ms; `null`: none is owed. One that is due later than the longest
 * wait was stored by a wrong clock, and is due now.
 */
export function fullLookDue(ledger: Pick<Ledger, 'fact'>, now: number): number | null {
  if (ledger.fact('watermark') === null) return now;
  const at = ledger.fact('fullOwed')?.at ?? null;
  return at !== null && at - now > LONGEST_WAIT_MS ? now : at;
}
