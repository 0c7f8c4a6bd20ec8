import type { People } from '../../domain/ports/ledger/people.ts';
import type { Database } from '../database/database.ts';
import { factOf, setFact } from '../database/facts.ts';
import { IN_UNITS, ROOT } from '../staging/staging-schema.ts';
import { inUnits } from './in-units.ts';

const FORGET_PRINTS = `UPDATE person SET print = NULL WHERE print NOTNULL AND ${IN_UNITS}`;

type Places = Parameters<People['followPlaces']>[0];

/** See `People.followPlaces`. What was noted before stands until all prints are forgotten: a run that dies is repeated. */
export function* followPlaces(db: Database, now: Places): Generator<void, void> {
  const before = new Map(factOf(db, 'places'));
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (ref) => before.get(ref) !== now.get(ref),
  );
  if (changed.length === 0) return;
  yield* inUnits(db, FORGET_PRINTS, [...new Set(changed.map((ref) => before.get(ref) ?? ROOT))]);
  setFact(db, 'places', [...now]);
}
