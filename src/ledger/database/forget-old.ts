import type { Old } from '../../domain/ports/ledger/ledger.ts';
import { REPAIRS_MS } from '../../domain/ports/ledger/troubles.ts';
import type { Database } from './database.ts';
import { IS_REPAIR } from './schema.ts';

/** This many of the last runs are kept, quiet ones too, for verbs that list runs. */
const RUNS_KEPT = 1_000;

/** Statements by what they forget. */
const FORGET = [
  'DELETE FROM call_item WHERE call IN (SELECT call FROM call WHERE settled_at < :calls)',
  'DELETE FROM call WHERE settled_at < :calls',
  'DELETE FROM reply WHERE at < :calls',
  'DELETE FROM run WHERE started_at < :calls',
  `DELETE FROM run WHERE quiet = 1 AND started_at < :quietRuns
     AND rowid < (SELECT min(rowid) FROM (SELECT rowid FROM run ORDER BY rowid DESC LIMIT ${RUNS_KEPT}))`,
  // Repairs are counted over some days, also if the history is kept for less.
  `DELETE FROM history WHERE at < :history AND (at < :history - ${REPAIRS_MS} OR NOT ${IS_REPAIR})`,
] as const;

export function forgetOld(db: Database, old: Old): void {
  db.transaction(() => {
    for (const statement of FORGET) db.sql(statement).run({ ...old });
  });
}
