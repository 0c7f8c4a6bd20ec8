import type { People } from '../../domain/ports/ledger/people.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import { countOf, type Database } from '../database/database.ts';

/** A tenth of a second, if all of them are written. */
const ROWS_AT_ONCE = 20_000;

/** Runs a statement with `IN_UNITS`, which reads all people, so it is done only if there are units. */
export function* inUnits(db: Database, statement: string, ids: readonly string[]): Generator<void, void> {
  const last = ids.length === 0 ? 0 : countOf(db, 'SELECT coalesce(max(rowid), 0) AS n FROM person');
  const units = JSON.stringify(ids);
  for (let from = 1; from <= last; from += ROWS_AT_ONCE) {
    db.sql(statement).run({ units, from, to: from + ROWS_AT_ONCE - 1 });
    yield;
  }
}

const POSITIONS = `SELECT rowid AS n, sent -> '$.positions' AS positions FROM person
  WHERE rowid > ? AND state = 'managed' ORDER BY rowid LIMIT 1000`;

/** See {@link People.countIn}. */
export function* countIn(
  db: Database,
  ...[atMost, above]: Parameters<People['countIn']>
): ReturnType<People['countIn']> {
  const counts = new Map<string, number>();
  const open = new Set(atMost.keys());
  for (let last = 0; open.size > 0; yield) {
    const rows = db.sql<{ readonly n: number; readonly positions: string }>(POSITIONS).all(last);
    if (rows.length === 0) break;
    for (const { n, positions } of rows) {
      last = n;
      const units = (JSON.parse(positions) as readonly PlacedPosition[]).flatMap(({ unit }) => unit ?? []);
      for (const unit of new Set(units.flatMap(above))) {
        if (!open.has(unit)) continue;
        const count = (counts.get(unit) ?? 0) + 1;
        counts.set(unit, count);
        if (count >= (atMost.get(unit) ?? 0)) open.delete(unit);
      }
    }
  }
  return counts;
}
