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
