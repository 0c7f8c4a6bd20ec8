import { NOW } from '../records/seen.ts';
import type { Database } from '../database/database.ts';
import { isMarked, markAll, marked, unmark } from '../database/marks.ts';

/** This read has a record of the person that was evaluated, in scope or not; one that was recognized is as it was. */
const IS_READ = `(EXISTS (SELECT 1 FROM staging.person d WHERE d.id = mark.key)
  OR ${isMarked('leftOut', 'mark.key')}
  OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = mark.key AND s.has IS NOT NULL))`;

/** A value that the rules read of the record is missing from it. */
const HAS_LOST = `EXISTS (
  SELECT 1 FROM seen k JOIN (${NOW}) d ON d.id = k.id WHERE k.is_unit = 0 AND k.id = mark.key
    AND EXISTS (SELECT key FROM json_each(k.has) EXCEPT SELECT key FROM json_each(d.has)))`;

/**
 * Stores who is protected in this read. If a person is not read, or if their record lacks a value that it
 * had, they stay what they were under the same rule.
 */
export function keepProtected(db: Database, rule: string | null): void {
  db.sql(`${unmark('protected')} AND note IS NOT ?`).run(rule);
  if (rule === null) return;
  db.sql(`${unmark('protected')} AND ${IS_READ} AND NOT ${HAS_LOST}`).run();
  db.sql(markAll('protected', marked('protectedNow'), '?')).run(rule);
  // Protected people must not be recognized by an old print: only a decoded record says who is protected.
  db.exec(`UPDATE person SET print = NULL WHERE print IS NOT NULL AND ${isMarked('protected', 'id')}`);
}
