import { NOW } from '../records/seen.ts';
import type { Database } from '../database/database.ts';
import { isMarked, marked } from '../database/marks.ts';

/** This read has a record of the person that was evaluated, in scope or not; one that was recognized is as it was. */
const IS_READ = `(EXISTS (SELECT 1 FROM staging.person d WHERE d.id = memory.id)
  OR ${isMarked('leftOut', 'memory.id')}
  OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = memory.id AND s.has NOTNULL))`;

/** A value that the rules read of the record is missing from it. */
const HAS_LOST = `EXISTS (
  SELECT 1 FROM (${NOW}) d WHERE d.id = memory.id AND memory.has NOTNULL
    AND EXISTS (SELECT key FROM json_each(memory.has) EXCEPT SELECT key FROM json_each(d.has)))`;

/**
 * Stores who is protected in this read. If a person is not read, or if their record lacks a value that it
 * had, they stay what they were under the same rule.
 */
export function keepProtected(db: Database, rule: string | null): void {
  const end = 'UPDATE memory SET protected = NULL WHERE protected NOTNULL AND';
  db.sql(`${end} protected IS NOT ?`).run(rule);
  if (rule === null) return;
  db.sql(`${end} ${IS_READ} AND NOT ${HAS_LOST}`).run();
  db.sql(
    `INSERT INTO memory (is_unit, id, protected) SELECT 0, key, ? FROM ${marked('protectedNow')} WHERE true
     ON CONFLICT DO UPDATE SET protected = excluded.protected`,
  ).run(rule);
  // Protected people must not be recognized by an old print: only a decoded record says who is protected.
  db.exec(
    'UPDATE person SET print = NULL WHERE print NOTNULL AND id IN (SELECT id FROM memory WHERE protected NOTNULL)',
  );
}
