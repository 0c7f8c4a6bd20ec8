import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import { json, type Database } from './database.ts';

/** Facts that only the ledger itself asks for. */
interface OwnFacts {
  /** The service and organization that the ledger belongs to: `domainId/orgCode`. */
  readonly binding: string;
  /** The key of the hashes of forgotten usernames: if a backup lacked it, usernames would go to strangers. */
  readonly forgottenKey: string;
}

type Facts = LedgerFacts & OwnFacts;

export function factOf<K extends keyof Facts>(db: Database, name: K): Facts[K] | null {
  const row = db.sql('SELECT value FROM fact WHERE name = ?').get(name);
  return row === undefined ? null : json<Facts[K]>(row, 'value');
}

export function setFact<K extends keyof Facts>(db: Database, name: K, value: Facts[K]): void {
  db.sql('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(name, JSON.stringify(value));
}
