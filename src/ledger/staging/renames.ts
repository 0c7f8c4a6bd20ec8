import type { PersonPayload } from '../../domain/records/payload.ts';
import type { MovedPeople } from '../../domain/ports/ledger/source-stage.ts';
import { number, text, textOrNull } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { rewritePayloads } from './rewrite-payloads.ts';

const MOVED = `
  SELECT json_extract(was.value, '$.unit') AS from_unit, json_extract(now.value, '$.unit') AS to_unit,
    count(DISTINCT p.id) AS people
  FROM person p JOIN json_each(p.sent, '$.positions') was
    LEFT JOIN staging.person d ON d.id = p.id AND d.active IS NOT 0
    LEFT JOIN json_each(d.payload, '$.positions') now
  WHERE p.state = 'managed' AND json_extract(was.value, '$.unit') IN (SELECT value FROM json_each(?))
  GROUP BY 1, 2`;

/** Who is seen unchanged is not staged: their place is the one that was sent. */
const JOINED = `
  SELECT unit, count(DISTINCT id) AS people FROM (
    SELECT d.id AS id, json_extract(place.value, '$.unit') AS unit
    FROM staging.person d JOIN json_each(d.payload, '$.positions') place
    WHERE d.active IS NOT 0
    UNION ALL
    SELECT p.id, json_extract(place.value, '$.unit')
    FROM staging.seen s CROSS JOIN person p ON p.rowid = s.person JOIN json_each(p.sent, '$.positions') place
    WHERE p.state = 'managed')
  WHERE unit IN (SELECT value FROM json_each(?)) GROUP BY 1`;

/** Returns where the people of these units are in the source now. */
export function movedFrom(db: Database, units: readonly string[]): readonly MovedPeople[] {
  const rows = db.sql(MOVED).all(JSON.stringify(units));
  return rows.map((row) => ({
    from: text(row, 'from_unit'),
    to: textOrNull(row, 'to_unit'),
    people: number(row, 'people'),
  }));
}

/** Returns how many people of the source are in each of these units. */
export function joinedTo(db: Database, units: readonly string[]): ReadonlyMap<string, number> {
  const rows = db.sql(JOINED).all(JSON.stringify(units));
  return new Map(rows.map((row) => [text(row, 'unit'), number(row, 'people')]));
}

const IN_THESE = `SELECT rowid AS n, payload FROM staging.person d WHERE rowid > ? AND EXISTS (
    SELECT 1 FROM json_each(d.payload, '$.positions') place
    WHERE json_extract(place.value, '$.unit') IN (SELECT value FROM json_each(?)))
  ORDER BY rowid LIMIT 500`;

/** Puts other units in place of these. The hash is none that a read has: the next one compares these people anew. */
export function replaceUnits(db: Database, units: ReadonlyMap<string, string>): void {
  const update = db.sql(
    `UPDATE staging.person SET payload = ?, hash = 'held ' || hash, print = NULL WHERE rowid = ?`,
  );
  const these = { page: db.sql(IN_THESE), args: [JSON.stringify([...units.keys()])], update };
  rewritePayloads(db, these, (payload) => placed(payload, units));
}

function placed(payload: PersonPayload, units: ReadonlyMap<string, string>): PersonPayload {
  const positions = payload.positions.map((position) => ({
    ...position,
    unit: units.get(position.unit ?? '') ?? position.unit,
  }));
  return { ...payload, positions: positions.toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1)) };
}
