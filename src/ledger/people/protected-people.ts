import { jsonOrNull, text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/** This read has a record of the person that could be evaluated, in scope or not. */
const IS_READ = `(EXISTS (SELECT 1 FROM staging.person d WHERE d.id = protected.id)
  OR EXISTS (SELECT 1 FROM staging.left_out o WHERE o.id = protected.id)
  OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = protected.id))`;

/** Takes over who is protected in this read; whoever is not read stays what they were under the same rule. */
export function keepProtected(db: Database, rule: string | null): void {
  db.transaction(() => {
    db.sql('DELETE FROM protected WHERE rule IS NOT ?').run(rule);
    if (rule === null) return;
    db.sql(`DELETE FROM protected WHERE ${IS_READ}`).run();
    db.sql('INSERT OR IGNORE INTO protected SELECT id, ?, has FROM staging.protected').run(rule);
    // Nobody of them is recognized by a record from before: only one that is decoded says who is protected.
    db.exec('UPDATE person SET print = NULL WHERE print IS NOT NULL AND id IN (SELECT id FROM protected)');
  });
}

export function isProtected(db: Database, id: string): boolean {
  return db.sql('SELECT 1 FROM protected WHERE id = ?').get(id) !== undefined;
}

/** Returns who is protected by this rule, with the names that had a value then. */
export function protectedBy(db: Database, rule: string): ReadonlyMap<string, readonly string[]> {
  const rows = db.sql('SELECT id, has FROM protected WHERE rule = ?').all(rule);
  return new Map(rows.map((row) => [text(row, 'id'), jsonOrNull<readonly string[]>(row, 'has') ?? []]));
}
