import type { People } from '../../domain/ports/ledger/people.ts';
import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import { json, type Database } from '../database/database.ts';
import { IN_UNITS, ROOT } from '../staging/staging-schema.ts';
import { inUnits } from './in-units.ts';

const FORGET_PRINTS = `UPDATE person SET print = NULL WHERE print NOTNULL AND ${IN_UNITS}`;

type Places = Parameters<People['followPlaces']>[0];

/** See `People.followPlaces`. What was noted before stands until all prints are forgotten: a run that dies is repeated. */
export function* followPlaces(db: Database, now: Places): Generator<void, void> {
  const row = db.sql(`SELECT value FROM fact WHERE name = 'places'`).get();
  const before = new Map(row === undefined ? [] : json<LedgerFacts['places']>(row, 'value'));
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (ref) => before.get(ref) !== now.get(ref),
  );
  if (changed.length === 0) return;
  yield* inUnits(db, FORGET_PRINTS, [...new Set(changed.map((ref) => before.get(ref) ?? ROOT))]);
  db.sql(`INSERT OR REPLACE INTO fact VALUES ('places', ?)`).run(JSON.stringify([...now]));
}
