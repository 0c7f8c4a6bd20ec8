import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Database } from './database.ts';

/**
 * The lease of the run that goes on. Whether it is still renewed is known by its renewals, or by the watch of one start of
 * the machine; never by a clock.
 */
export interface HeldLease {
  readonly holder: string;
  readonly renewals: number;
  /** By the clock, ms. */
  readonly expiresAt: number;
  /** This start of the machine; `null`: unknown. */
  readonly boot: string | null;
  /** By the watch of this start, ms. */
  readonly ends: number;
}

/** Facts that only the ledger itself asks for. */
interface OwnFacts {
  /** The service and organization that the ledger belongs to: `domainId/orgCode`. */
  readonly binding: string;
  /** The key of the hashes of forgotten usernames: if a backup lacked it, usernames would go to strangers. */
  readonly forgottenKey: string;
  readonly lease: HeldLease;
}

type Facts = LedgerFacts & OwnFacts;

export function factOf<K extends keyof Facts>(db: Database, name: K): Facts[K] | null {
  const row = db.sql<{ readonly value: string }>('SELECT value FROM fact WHERE name = ?').get(name);
  return row === undefined ? null : (JSON.parse(row.value) as Facts[K]);
}

export function setFact<K extends keyof Facts>(db: Database, name: K, value: Facts[K]): void {
  db.sql('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(name, JSON.stringify(value));
}
