import { json, text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

type Names = readonly string[];

export function hadOf(db: Database): ReadonlyMap<string, Names> {
  const rows = db.sql('SELECT id, had FROM unit_had').all();
  return new Map(rows.map((row) => [text(row, 'id'), json<Names>(row, 'had')]));
}

/** Writes what differs. A unit of ours that was not read keeps what it had. */
export function keepHad(db: Database, had: ReadonlyMap<string, Names>): void {
  const before = hadOf(db);
  const leave = db.sql('DELETE FROM unit_had WHERE id = ? AND id NOT IN (SELECT id FROM unit)');
  for (const id of before.keys()) if (!had.has(id)) leave.run(id);
  const keep = db.sql('INSERT OR REPLACE INTO unit_had VALUES (?, ?)');
  for (const [id, names] of had) {
    const [now, then] = [JSON.stringify(names), JSON.stringify(before.get(id))];
    if (now !== then) keep.run(id, now);
  }
}
