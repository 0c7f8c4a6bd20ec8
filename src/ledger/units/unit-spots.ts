import type { Spot } from '../../domain/records/recognition.ts';
import { bytesOfSpot, spotOfBytes } from '../database/spot-bytes.ts';
import { text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

export function spotsOf(db: Database): ReadonlyMap<string, Spot> {
  const rows = db.sql('SELECT id, spot FROM unit_spot').all();
  return new Map(rows.map((row) => [text(row, 'id'), spotOfBytes(row['spot'])]));
}

/** Writes only what differs: most units stay where they are. */
export function keepSpots(db: Database, spots: ReadonlyMap<string, Spot>): void {
  const before = spotsOf(db);
  const leave = db.sql('DELETE FROM unit_spot WHERE id = ?');
  for (const id of before.keys()) if (!spots.has(id)) leave.run(id);
  const keep = db.sql('INSERT OR REPLACE INTO unit_spot VALUES (?, ?)');
  for (const [id, spot] of spots) if (before.get(id) !== spot) keep.run(id, bytesOfSpot(spot));
}
