import type { Memory, SeenRecords } from '../../domain/ports/ledger/source-stage.ts';
import type { Decisive, Seen } from '../../domain/records/records.ts';
import { json, jsonOrNull, number, text, type Database, type Row } from '../database/database.ts';

/** What this read has of records that could be evaluated; those that were recognized are as they were. */
export const NOW = `
  SELECT id, has FROM staging.person WHERE has IS NOT NULL
  UNION ALL SELECT id, has FROM staging.left_out WHERE has IS NOT NULL
  UNION ALL SELECT p.id, s.has FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE s.has IS NOT NULL`;

/** Of a record `d`: something of it waits, or it says no more why its person is protected. */
const WAITS = `(
  EXISTS (SELECT 1 FROM temp.waits w WHERE w.id = d.id)
  OR EXISTS (SELECT 1 FROM left_inside l WHERE l.id = d.id)
  OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = d.id AND r.subject <> 'unit')
  OR EXISTS (SELECT 1 FROM protected t WHERE t.id = d.id)
    AND NOT EXISTS (SELECT 1 FROM staging.protected t WHERE t.id = d.id)
  OR EXISTS (SELECT 1 FROM person p WHERE p.id = d.id AND p.state = 'managed' AND p.misses > 0))`;

const KEEP = `
  CREATE TEMP TABLE IF NOT EXISTS waits (id TEXT PRIMARY KEY) WITHOUT ROWID;
  DELETE FROM temp.waits;
  INSERT OR IGNORE INTO temp.waits
    SELECT id FROM staging.change WHERE subject = 'person' AND held <> 0
    UNION SELECT id FROM staging.blocked WHERE subject = 'person' AND goes_on = 0;`;

const TAKE_OVER = `
  INSERT INTO seen SELECT 0, d.id, d.has, :rules FROM (${NOW}) d
    LEFT JOIN seen k ON k.is_unit = 0 AND k.id = d.id
    WHERE (k.id IS NULL OR k.has <> d.has OR k.rules <> :rules) AND NOT ${WAITS}
  ON CONFLICT DO UPDATE SET has = excluded.has, rules = excluded.rules`;

/** Whoever is neither in the source nor ours is forgotten. */
const FORGET = `
  DELETE FROM seen WHERE is_unit = 0
    AND NOT EXISTS (SELECT 1 FROM person p WHERE p.id = seen.id AND p.state <> 'removed')
    AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = seen.id)
    AND NOT EXISTS (SELECT 1 FROM staging.left_out o WHERE o.id = seen.id)
    AND NOT EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = seen.id)`;

const HAD = `
  SELECT n.key AS name, count(*) AS had FROM seen k, json_each(k.has) n
  WHERE k.is_unit = 0 AND k.rules = :rules GROUP BY n.key`;

const HAS = `SELECT DISTINCT n.key AS name FROM (${NOW}) d, json_each(d.has) n`;

/** Whether somebody who was recognized has a value of the name. */
const IS_RECOGNIZED = `
  SELECT 1 FROM staging.seen s CROSS JOIN person p ON p.rowid = s.person CROSS JOIN seen k ON k.is_unit = 0 AND k.id = p.id
  WHERE s.has IS NULL AND EXISTS (SELECT 1 FROM json_each(k.has) n WHERE n.key = ?) LIMIT 1`;

const seenOf = (row: Row): Seen => ({ has: json<Decisive>(row, 'has'), rules: text(row, 'rules') });

const NOW_OF = `SELECT has FROM (${NOW}) WHERE id = ? LIMIT 1`;

function memoryOf(db: Database, id: string): Memory {
  const before = db.sql('SELECT has, rules FROM seen WHERE is_unit = 0 AND id = ?').get(id);
  const now = db.sql(NOW_OF).get(id);
  return {
    before: before === undefined ? null : seenOf(before),
    now: now === undefined ? null : jsonOrNull<Decisive>(now, 'has'),
  };
}

function vanished(db: Database, rules: string): ReadonlyMap<string, number> {
  const has = new Set(
    db
      .sql(HAS)
      .all()
      .map((row) => text(row, 'name')),
  );
  const recognized = db.sql(IS_RECOGNIZED);
  const gone = (name: string): boolean => !has.has(name) && recognized.get(name) === undefined;
  const had = db
    .sql(HAD)
    .all({ rules })
    .map((row) => [text(row, 'name'), number(row, 'had')] as const);
  return new Map(had.filter(([name]) => gone(name)));
}

function unitsOf(db: Database): ReadonlyMap<string, Seen> {
  const rows = db.sql('SELECT id, has, rules FROM seen WHERE is_unit = 1').all();
  return new Map(rows.map((row) => [text(row, 'id'), seenOf(row)]));
}

/** Writes what differs. */
function keepUnits(db: Database, seen: ReadonlyMap<string, Seen>): void {
  const before = unitsOf(db);
  const leave = db.sql('DELETE FROM seen WHERE is_unit = 1 AND id = ? AND id NOT IN (SELECT id FROM unit)');
  for (const id of before.keys()) if (!seen.has(id)) leave.run(id);
  const keep = db.sql('INSERT OR REPLACE INTO seen VALUES (1, ?, ?, ?)');
  for (const [id, one] of seen)
    if (JSON.stringify(one) !== JSON.stringify(before.get(id)))
      keep.run(id, JSON.stringify(one.has), one.rules);
}

/** @param flush writes what staging has gathered */
export function seenRecords(db: Database, flush: () => void): SeenRecords {
  return {
    person: (id) => memoryOf(db, id),
    vanished(rules) {
      flush();
      return vanished(db, rules);
    },
    keepPeople: (rules) =>
      db.transaction(() => {
        db.exec(KEEP);
        db.sql(TAKE_OVER).run({ rules });
        db.exec(FORGET);
      }),
    units: () => unitsOf(db),
    keepUnits: (seen) => db.transaction(() => keepUnits(db, seen)),
  };
}
