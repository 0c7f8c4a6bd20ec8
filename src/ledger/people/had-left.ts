import { json } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/** Returns the names that decide and had a value while a record said that the person has left. */
export function leftWith(db: Database, id: string): readonly string[] {
  const row = db.sql('SELECT had FROM had_left WHERE id = ?').get(id);
  return row === undefined ? [] : json<readonly string[]>(row, 'had');
}

/** Forgets all names but these. */
export function keepHad(db: Database, names: readonly string[]): void {
  const others = 'SELECT 1 FROM json_each(had) WHERE value NOT IN (SELECT value FROM json_each(:names))';
  db.sql(
    `UPDATE had_left SET had = (SELECT json_group_array(value) FROM json_each(had)
       WHERE value IN (SELECT value FROM json_each(:names))) WHERE EXISTS (${others})`,
  ).run({ names: JSON.stringify(names) });
}
