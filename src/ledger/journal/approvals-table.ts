import type { Approvals } from '../../domain/ports/approvals.ts';
import type { Held } from '../../domain/changes.ts';
import type { Guard } from '../../domain/settings.ts';
import { json, number, text } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';

function heldOf(row: Row): Held {
  return {
    guard: text(row, 'guard') as Guard,
    hash: text(row, 'hash'),
    count: number(row, 'count'),
    limit: number(row, 'most'),
    first: json<readonly string[]>(row, 'first'),
    about: text(row, 'about'),
  };
}

function digestsOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => text(row, 'digest'));
}

function setHeld(db: Database, held: readonly Held[], digests: readonly (readonly string[])[]): void {
  db.exec('DELETE FROM held; DELETE FROM held_item;');
  const item = db.sql('INSERT OR IGNORE INTO held_item VALUES (?, ?)');
  const insert = db.sql(
    'INSERT INTO held (guard, hash, count, most, first, about) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const [index, { guard, hash, count, limit, first, about }] of held.entries()) {
    insert.run(guard, hash, count, limit, JSON.stringify(first), about);
    for (const digest of digests[index] ?? []) item.run(hash, digest);
  }
}

function approve(db: Database, hash: string, digests: readonly string[], at: number): void {
  const insert = db.sql('INSERT OR REPLACE INTO approval VALUES (?, ?, ?)');
  for (const digest of digests) insert.run(digest, hash, at);
}

/** What it was approved for: no steps on the way there. */
const DONE = `('unit', 'unitGone', 'moved', 'imported', 'disabled', 'enabled', 'personGone', 'vanished')`;

function done(db: Database, run: string): ReadonlySet<string> {
  const rows = db
    .sql(
      `SELECT DISTINCT i.subject || ' ' || i.id AS key FROM call c JOIN call_item i USING (call)
       WHERE c.run = ? AND i.outcome IN ${DONE}
         AND NOT EXISTS (SELECT 1 FROM failure f WHERE f.subject = i.subject AND f.id = i.id)`,
    )
    .all(run);
  return new Set(rows.map((row) => text(row, 'key')));
}

function drop(db: Database, digests: readonly string[]): void {
  for (const digest of digests) db.sql('DELETE FROM approval WHERE digest = ?').run(digest);
}

function keepOnly(db: Database, digests: ReadonlySet<string>): void {
  const approved = digestsOf(db.sql('SELECT digest FROM approval').all());
  drop(
    db,
    approved.filter((digest) => !digests.has(digest)),
  );
}

/** Left since then, and is back: no leaver of that time. */
const IS_BACK = `b.value = 'leavers person'
  AND EXISTS (SELECT 1 FROM person p WHERE p.id = i.id AND p.state IN ('creating', 'managed'))`;

/**
 * Applied in settled calls since then and not approved, by what it counted under. Whoever is planned to change again is
 * counted with the plan: nobody counts twice.
 */
function appliedSince(db: Database, since: number): ReadonlyMap<string, number> {
  const rows = db
    .sql(
      `SELECT b.value AS bucket, count(DISTINCT i.subject || ' ' || i.id) AS n
       FROM call c JOIN call_item i USING (call), json_each(i.buckets) b
       WHERE c.settled_at >= ? AND i.approved = 0 AND i.buckets IS NOT NULL
         AND i.outcome NOT IN ('failed', 'unconfirmed', 'doubt', 'reopened')
         AND NOT (${IS_BACK})
         AND NOT EXISTS (SELECT 1 FROM staging.change p WHERE p.subject = i.subject AND p.id = i.id)
       GROUP BY b.value`,
    )
    .all(since);
  return new Map(rows.map((row) => [text(row, 'bucket'), number(row, 'n')]));
}

export function approvalsTable(db: Database): Approvals {
  return {
    digests: () => new Set(digestsOf(db.sql('SELECT digest FROM approval').all())),
    approve: (hash, digests, at) => db.transaction(() => approve(db, hash, digests, at)),
    isKnown: (hash) => db.sql('SELECT 1 FROM approval WHERE hash = ?').get(hash) !== undefined,
    keepOnly: (digests) => db.transaction(() => keepOnly(db, digests)),
    done: (run) => done(db, run),
    drop: (digests) => db.transaction(() => drop(db, digests)),
    lapse: (before) => db.sql('DELETE FROM approval WHERE at < ?').run(before),
    listed: (hash) => digestsOf(db.sql('SELECT digest FROM held_item WHERE hash = ?').all(hash)),
    listedDigests: () => digestsOf(db.sql('SELECT DISTINCT digest FROM held_item').all()),
    held: () => db.sql('SELECT * FROM held ORDER BY guard, hash').all().map(heldOf),
    setHeld: (held, digests) => db.transaction(() => setHeld(db, held, digests)),
    appliedSince: (since) => appliedSince(db, since),
  };
}
