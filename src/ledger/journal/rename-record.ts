import type { Database } from '../database/database.ts';
import { clearFailure } from './settle.ts';

/** Tables that name records of calls and changes. What another record has under the new id stays its own. */
const TABLES = ['call_item', 'history'] as const;

/** Gives a record another id wherever calls and changes name it. Failures of both ids are forgotten. */
export function renameRecord(db: Database, subject: 'unit' | 'person', from: string, to: string): void {
  for (const table of TABLES)
    db.sql(`UPDATE OR IGNORE ${table} SET id = ? WHERE subject = ? AND id = ?`).run(to, subject, from);
  clearFailure(db, subject, from);
  clearFailure(db, subject, to);
}
