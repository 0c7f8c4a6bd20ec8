import { COMES_OR_GOES, recordKey, type Change } from '../../domain/changes.ts';
import type { DecisiveRead, Explained, Memory, SeenRecords } from '../../domain/ports/ledger/source-stage.ts';
import { membersOf, PROTECTED, type Decisive, type SeenRecord } from '../../domain/records/records.ts';
import { countOf, textsOf, parsed, type Database } from '../database/database.ts';
import { isMarked, markAll, marked, unmark } from '../database/marks.ts';

/** Stands before the hash of a value that the record had, and has no more. */
export const GONE = '~';

/** What this read has of records that could be evaluated, or that say left; those that were recognized are as they were. */
export const NOW = `
  SELECT id, has FROM staging.person WHERE has IS NOT NULL
  UNION ALL SELECT key, note FROM ${marked('leftOut')} WHERE note IS NOT NULL
  UNION ALL SELECT p.id, s.has FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE s.has IS NOT NULL
  UNION ALL SELECT id, has FROM staging.refused WHERE active = 0 AND has IS NOT NULL AND id IS NOT NULL`;

/**
 * People for whom something waits: a held change, an unusable record, a miss. Note 0 marks those who are only
 * named as left inside. Also people for whom this plan makes a change that only their own record may cause.
 */
const GATHER = [
  unmark('waits'),
  unmark('acted'),
  markAll(
    'waits',
    `SELECT id AS key FROM staging.change WHERE subject = 'person' AND held <> 0
      UNION ALL SELECT id FROM staging.refused WHERE subject <> 'unit' AND id IS NOT NULL
      UNION ALL SELECT id FROM staging.blocked WHERE subject = 'person' AND goes_on = 0
      UNION ALL SELECT id FROM person WHERE state = 'managed' AND misses > 0
      UNION ALL SELECT id FROM memory WHERE protected NOTNULL AND NOT ${isMarked('protectedNow', 'memory.id')}`,
    `'1'`,
  ),
  markAll('waits', 'SELECT id AS key FROM left_inside', `'0'`),
  markAll(
    'acted',
    `SELECT id AS key FROM staging.change WHERE subject = 'person' AND held = 0
      AND (kind IN (${COMES_OR_GOES.map((kind) => `'${kind}'`).join(', ')}) OR json_extract(change, '$.doubt') IS NOT NULL)`,
  ),
].join(';');

/** What is known of a record `k` as if all of it were gone. */
const asGone = (names: string): string => `(
  SELECT json_group_object(n.key, '${GONE}' || ltrim(n.value, '${GONE}')) FROM json_each(k.has) n WHERE ${names})`;

/** So many people are taken over in one statement, told apart by the last character of their ids: a million take two seconds. */
const AT_ONCE = 250_000;

/**
 * A value that is there is known from now on, and one that is gone without an effect stays known; a group only if
 * something waits. If something waits, it still follows from the rules under which the record was seen before.
 */
const TAKE_OVER = `
  INSERT INTO memory (is_unit, id, has, rules) SELECT 0, d.id,
    CASE WHEN ${isMarked('acted', 'd.id')} THEN d.has
      WHEN w.note = '1' OR (w.note = '0' AND k.rules = :rules) THEN json_patch(${asGone('TRUE')}, d.has)
      WHEN k.rules = :rules THEN json_patch(${asGone(`n.key NOT LIKE '${membersOf('%')}'`)}, d.has)
      ELSE d.has END,
    iif(w.note = '1', k.rules, :rules)
    FROM (${NOW}) d LEFT JOIN memory k ON k.is_unit = 0 AND k.id = d.id LEFT JOIN ${marked('waits')} w ON w.key = d.id
    WHERE iif(k.has IS NULL, w.key IS NULL, k.has <> d.has OR k.rules <> :rules) AND (:only IS NULL OR d.id = :only)
      AND coalesce(unicode(substr(d.id, -1)) % :parts, 0) = :part
  ON CONFLICT DO UPDATE SET has = excluded.has, rules = excluded.rules
    WHERE has IS NOT excluded.has OR rules IS NOT excluded.rules`;

/** Who is recognized is as under these rules: an edit that was taken back does not matter any more. */
const RECOGNIZED = `
  UPDATE memory SET rules = :rules WHERE is_unit = 0 AND rules <> :rules
    AND EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = memory.id AND s.has IS NULL)
    AND NOT EXISTS (SELECT 1 FROM ${marked('waits')} w WHERE w.key = memory.id AND w.note = '1')`;

/** What follows from an edit waits until it is approved, also if the record changes meanwhile. */
const WAIT_FOR_EDITED = `
  UPDATE memory SET rules = '' WHERE rules <> '' AND (is_unit, id) IN (
    SELECT subject = 'unit', id FROM staging.change WHERE held <> 0 AND json_extract(change, '$.doubt.is') = 'edited')`;

/** What is kept now, and what still waits since it is not kept any more. */
const FORGET_KEPT = `UPDATE memory SET kept = NULL WHERE kept NOTNULL AND (is_unit, id) NOT IN (
  SELECT subject = 'unit', id FROM staging.change WHERE json_extract(change, '$.doubt.is') = 'unprotected')`;
const REMEMBER_KEPT = `INSERT INTO memory (is_unit, id, kept)
  SELECT subject = 'unit', id, :protection FROM staging.blocked WHERE reason LIKE '${PROTECTED}%'
  ON CONFLICT DO UPDATE SET kept = excluded.kept`;

/** Forgets people who are neither in the source nor managed. Nearly all are: their rows, which are wide, are not read. */
const FORGET = `
  DELETE FROM memory WHERE is_unit = 0
    AND (id NOT IN (SELECT id FROM person INDEXED BY sqlite_autoindex_person_1)
      OR id IN (SELECT id FROM person WHERE state <> 'managed' AND state = 'removed'))
    AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = memory.id)
    AND NOT ${isMarked('leftOut', 'memory.id')}
    AND NOT EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = memory.id)`;

/** What a change is known again by after an edit of the rules; where something goes is part of it. */
const AS = `iif(c.kind IN ('update', 'move'), c.digest, c.kind)`;

/** The changes that their own records explain, until they are done. Newcomers are not known as long as they wait. */
const EXPLAINED = `INSERT INTO memory (is_unit, id, explained)
  SELECT c.subject = 'unit', c.id, json_array(json(iif(c.subject = 'unit',
      (SELECT u.value FROM json_each(:units) u WHERE u.key = c.id),
      (SELECT d.has FROM (${NOW}) d WHERE d.id = c.id LIMIT 1))), json_group_array(${AS}))
    FROM staging.change c WHERE json_extract(c.change, '$.doubt') IS NULL
      AND (c.held <> 0 OR c.kind IN ('enable', 'disable', 'remove')) GROUP BY c.subject, c.id
  ON CONFLICT DO UPDATE SET explained = excluded.explained`;

function explainedOf(db: Database, subject: Change['subject'], id: string): Explained | null {
  const known = 'SELECT explained FROM memory WHERE is_unit = ? AND id = ? AND explained NOTNULL';
  const row = db.sql<{ readonly explained: string }>(known).get(Number(subject === 'unit'), id);
  if (row === undefined) return null;
  const [has, as] = JSON.parse(row.explained) as readonly [Decisive | null, readonly string[]];
  return { has, as };
}

function keepExplained(db: Database, units: DecisiveRead['units']): void {
  const changed = textsOf(
    db.sql(`SELECT DISTINCT id FROM staging.change WHERE subject = 'unit'`).all(),
    'id',
  );
  const has = JSON.stringify(Object.fromEntries(changed.map((id) => [id, units.get(id)])));
  db.exec('UPDATE memory SET explained = NULL WHERE explained NOTNULL');
  db.sql(EXPLAINED).run({ units: has });
}

const HAD = `
  SELECT n.key AS name, count(*) AS had FROM memory k, json_each(k.has) n
  WHERE k.is_unit = 0 AND k.rules = :rules GROUP BY n.key`;

const HAS = `SELECT DISTINCT n.key AS name FROM (${NOW}) d, json_each(d.has) n`;

/** Whether a recognized person has a value of the name. */
const IS_RECOGNIZED = `
  SELECT 1 FROM staging.seen s CROSS JOIN person p ON p.rowid = s.person CROSS JOIN memory k ON k.is_unit = 0 AND k.id = p.id
  WHERE s.has IS NULL AND EXISTS (SELECT 1 FROM json_each(k.has) n WHERE n.key = ? AND n.value NOT LIKE '${GONE}%') LIMIT 1`;

interface SeenRow {
  readonly has: string;
  readonly rules: string;
}

const seenOf = ({ has, rules }: SeenRow): SeenRecord => ({ has: JSON.parse(has) as Decisive, rules });

/** Returns what is known of a person, values that are gone included. */
function personOf(row: SeenRow): SeenRecord {
  const { has, rules } = seenOf(row);
  const had = Object.entries(has).map(([name, value]) => [name, value.replace(GONE, '')] as const);
  return { has: Object.fromEntries(had), rules };
}

const NOW_OF = `SELECT has FROM (${NOW}) WHERE id = ? LIMIT 1`;

function memoryOf(db: Database, id: string): Memory {
  const known = 'SELECT has, rules FROM memory WHERE is_unit = 0 AND id = ? AND has NOTNULL';
  const before = db.sql<SeenRow>(known).get(id);
  const now = db.sql<{ readonly has: string | null }>(NOW_OF).get(id);
  return { before: before === undefined ? null : personOf(before), now: parsed<Decisive>(now?.has ?? null) };
}

function vanished(db: Database, rules: string): ReadonlyMap<string, number> {
  const has = new Set(textsOf(db.sql(HAS).all(), 'name'));
  const recognized = db.sql(IS_RECOGNIZED);
  const gone = (name: string): boolean => !has.has(name) && recognized.get(name) === undefined;
  const had = db.sql<{ readonly name: string; readonly had: number }>(HAD).all({ rules });
  return new Map(had.flatMap(({ name, had: n }) => (gone(name) ? [[name, n]] : [])));
}

function unitsOf(db: Database): ReadonlyMap<string, SeenRecord> {
  const known = 'SELECT id, has, rules FROM memory WHERE is_unit = 1 AND has NOTNULL';
  const rows = db.sql<SeenRow & { readonly id: string }>(known).all();
  return new Map(rows.map((row) => [row.id, seenOf(row)]));
}

interface Kept {
  readonly rules: string;
  readonly isWaiting: boolean;
}

/** Returns what is known of a unit from now on. If a change of it waits, that follows from the rules before. */
function nextOf(known: SeenRecord | undefined, now: Decisive, { rules, isWaiting }: Kept): SeenRecord {
  const has = isWaiting || known?.rules === rules ? { ...known?.has, ...now } : now;
  return { has, rules: isWaiting && known !== undefined ? known.rules : rules };
}

/** Writes what differs. A unit of ours that was not read keeps what it had. */
function keepUnits(db: Database, { rules, units }: DecisiveRead): void {
  const waiting = db.sql(`SELECT id FROM staging.change WHERE subject = 'unit' AND held <> 0`).all();
  const waits = new Set(textsOf(waiting, 'id'));
  const before = unitsOf(db);
  const leave = db.sql('DELETE FROM memory WHERE is_unit = 1 AND id = ? AND id NOT IN (SELECT id FROM unit)');
  for (const id of before.keys()) if (!units.has(id)) leave.run(id);
  const keep = db.sql(
    `INSERT INTO memory (is_unit, id, has, rules) VALUES (1, ?, ?, ?)
     ON CONFLICT DO UPDATE SET has = excluded.has, rules = excluded.rules`,
  );
  for (const [id, now] of units) {
    const known = before.get(id);
    const isWaiting = waits.has(id);
    const next = nextOf(known, now, { rules, isWaiting });
    const isNew = known === undefined && isWaiting;
    if (!isNew && JSON.stringify(next) !== JSON.stringify(known))
      keep.run(id, JSON.stringify(next.has), next.rules);
  }
}

interface KeptRow {
  readonly subject: Change['subject'];
  readonly id: string;
  readonly kept: string;
}

const KEPT = `SELECT iif(is_unit, 'unit', 'person') AS subject, id, kept FROM memory WHERE kept NOTNULL`;

export function seenRecords(db: Database): SeenRecords {
  return {
    person: (id) => memoryOf(db, id),
    vanished(rules) {
      return vanished(db, rules);
    },
    explained: (subject, id) => explainedOf(db, subject, id),
    units: () => unitsOf(db),
    kept: () =>
      new Map(
        db
          .sql<KeptRow>(KEPT)
          .all()
          .map((row) => [recordKey(row), row.kept]),
      ),
    *keep(read) {
      const { rules, only } = read;
      db.transaction(() => db.exec(GATHER));
      yield;
      const parts = Math.max(1, Math.ceil(countOf(db, `SELECT count(*) AS n FROM (${NOW})`) / AT_ONCE));
      for (let part = 0; part < parts; part += 1) {
        db.transaction(() => {
          if (only?.subject !== 'unit') db.sql(TAKE_OVER).run({ rules, only: only?.id ?? null, part, parts });
          db.exec(WAIT_FOR_EDITED);
        });
        yield;
      }
      if (only !== null) return;
      db.transaction(() => {
        db.sql(RECOGNIZED).run({ rules });
        db.exec(FORGET);
        db.exec(FORGET_KEPT);
        db.sql(REMEMBER_KEPT).run({ protection: read.protection });
        keepUnits(db, read);
        keepExplained(db, read.units);
        db.exec(WAIT_FOR_EDITED);
      });
    },
  };
}
