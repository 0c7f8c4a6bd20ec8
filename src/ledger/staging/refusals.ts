import { foldUsername } from '../../domain/text/fold.ts';
import type { LostField, StagedNote } from '../../domain/ports/ledger/source-stage.ts';
import type { Decisive, Refusal } from '../../domain/records/records.ts';
import { inPages, type Database } from '../database/database.ts';
import { shortReason } from '../../domain/text/printable.ts';
import { isMarked, markOne } from '../database/marks.ts';
import { noteKey, noteRecord } from './key-records.ts';

const PAGE = 1_000;

/**
 * Refused records, except of people who have left: nothing of those is needed. A record without a readable login is
 * called by the username of the account.
 */
const REFUSALS = `
  SELECT r.rowid AS n, r.subject, r.id, place, field, reason, coalesce(label, p.username) AS label, unit_refs AS unitRefs
    FROM staging.refused r
    LEFT JOIN person p ON p.id = r.id AND r.subject <> 'unit'
  WHERE r.rowid > ? AND (r.subject = 'unit' OR r.id IS NULL OR NOT ${isMarked('hasLeft', 'r.id')})
  ORDER BY r.rowid LIMIT ${PAGE}`;

const LOSSES = `SELECT rowid AS n, subject, id, label, field, reason FROM staging.loss WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`;

type Numbered<T> = T & { readonly n: number };

export function* refusals(db: Database): Iterable<Refusal> {
  const page = db.sql<Numbered<Omit<Refusal, 'unitRefs'> & { readonly unitRefs: string }>>(REFUSALS);
  for (const { n: _, unitRefs, ...row } of inPages(
    0,
    (last) => page.all(last),
    ({ n }) => n,
  ))
    yield { ...row, unitRefs: JSON.parse(unitRefs) as readonly string[] };
}

export function* losses(db: Database): Iterable<LostField> {
  const page = db.sql<Numbered<LostField>>(LOSSES);
  for (const { n: _, ...loss } of inPages(
    0,
    (last) => page.all(last),
    ({ n }) => n,
  ))
    yield loss;
}

export const jsonOf = (has: Decisive | null): string | null => (has === null ? null : JSON.stringify(has));

/** Stages what a read brings besides people. */
export function note(db: Database, noted: StagedNote): void {
  switch (noted.is) {
    case 'leftOut':
      return db.sql(markOne('leftOut')).run(noted.id, jsonOf(noted.has));
    case 'protected':
      return db.sql(markOne('protectedNow')).run(noted.id, null);
    case 'position':
      return db
        .sql('INSERT INTO staging.position VALUES (?, ?)')
        .run(noted.row.person, JSON.stringify(noted.row));
    case 'refused':
      return refuse(db, noted.refusal, jsonOf(noted.has ?? null));
    case 'lost':
      return lose(db, noted.loss);
    case 'record':
      return noteRecord(db, noted.record);
    case 'present':
    case 'gone':
      return noteKey(db, noted);
  }
}

function lose(db: Database, { subject, id, label, field, reason }: LostField): void {
  const insert = db.sql('INSERT OR IGNORE INTO staging.loss VALUES (?, ?, ?, ?, ?)');
  insert.run(subject, id, label, field, shortReason(reason));
}

function refuse(db: Database, refusal: Refusal, has: string | null): void {
  const { subject, id, place, field, reason, label = null, active = null, unitRefs = [] } = refusal;
  const insert = db.sql('INSERT INTO staging.refused VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const key = subject === 'person' && label !== null ? foldUsername(label) : null;
  const says = active === null ? null : Number(active);
  const refs = JSON.stringify(unitRefs);
  insert.run(subject, id, place, field, shortReason(reason), label, key, says, refs, has);
}
