import type { Note, RecordedFailure, Troubles } from '../../domain/ports/ledger/troubles.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { number, subjectOf, textOrNull, text, type Database, type Row } from '../database/database.ts';
import { IS_REPAIR } from '../database/schema.ts';
import { nameIn, nameOf } from '../database/names.ts';
import { blockedOf } from '../staging/plan-book.ts';
import type { HistoryContext } from '../history/history-rows.ts';
import { settleInto } from './settle.ts';

function failureOf(row: Row): RecordedFailure {
  return {
    subject: subjectOf(row),
    id: text(row, 'id'),
    label: text(row, 'label'),
    ...nameIn(row),
    reason: text(row, 'reason'),
    attempts: number(row, 'attempts'),
    firstAt: number(row, 'first_at'),
    lastAt: number(row, 'last_at'),
    kind: text(row, 'kind') === 'refused' ? 'refused' : 'doubt',
    ...(row['digest'] === null ? {} : { digest: text(row, 'digest') }),
  };
}

const REPAIRS = `
  SELECT subject || ' ' || history.id || ' ' || (f.value ->> '$.field') AS key, count(*) AS n
  FROM history, json_each(fields) f WHERE ${IS_REPAIR} AND at BETWEEN ? AND ? GROUP BY 1`;

function repairs(db: Database, since: number, now: number): ReadonlyMap<string, number> {
  const rows = db.sql<{ readonly key: string; readonly n: number }>(REPAIRS).all(since, now);
  return new Map(rows.map(({ key, n }) => [key, n]));
}

/** Only folded names are compared, which SQLite cannot do. */
function failuresOf(db: Database, name: string): readonly RecordedFailure[] {
  const key = foldUsername(name);
  const named = db
    .sql('SELECT subject, id, label FROM failure')
    .all()
    .filter((row) => [text(row, 'id'), text(row, 'label')].some((one) => foldUsername(one) === key));
  const read = db.sql(`SELECT *, ${nameOf('failure')} FROM failure WHERE subject = ? AND id = ?`);
  return named.flatMap((row) => read.all(subjectOf(row), text(row, 'id')).map(failureOf));
}

const IS_MEANT = `(:of IS NULL
  OR (subject, id) IN (SELECT value ->> 'subject', value ->> 'id' FROM json_each(:of)))`;

function keepNotes(db: Database, records: Parameters<Troubles['keepNotes']>[0]): void {
  const of = records === undefined ? null : JSON.stringify(records);
  const columns = 'subject, id, label, reason, goes_on, kind, hash, name_key';
  db.sql(`DELETE FROM blocked WHERE ${IS_MEANT}`).run({ of });
  db.sql(`INSERT INTO blocked (${columns}) SELECT ${columns} FROM staging.blocked WHERE ${IS_MEANT}`).run({
    of,
  });
}

/** Names are found for the rows that are wanted alone. */
const BLOCKED = `SELECT *, ${nameOf('blocked')} FROM
  (SELECT * FROM blocked WHERE kind = 'blocked' ORDER BY subject, id LIMIT ?) AS blocked`;

/** As a limit of SQLite. */
const ALL = -1;

function noteOf(row: Row): Note {
  const kind = text(row, 'kind');
  return {
    ...blockedOf(row),
    kind: kind === 'held' || kind === 'edited' ? kind : 'blocked',
    hash: textOrNull(row, 'hash'),
  };
}

const FORGET_SETTLED = `DELETE FROM failure WHERE (kind = 'refused' OR subject = 'person')
  AND last_at < (SELECT started_at FROM run WHERE id = ?)
  AND NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.subject = failure.subject AND c.id = failure.id)
  AND NOT EXISTS (SELECT 1 FROM staging.blocked b WHERE b.subject = failure.subject AND b.id = failure.id
    AND b.goes_on = 0 AND b.kind = 'blocked')`;

export function troublesTables(db: Database, { now, run }: HistoryContext): Troubles {
  return {
    failures: (atMost = ALL) =>
      db
        .sql(`SELECT *, ${nameOf('failure')} FROM failure ORDER BY subject, id LIMIT ?`)
        .all(atMost)
        .map(failureOf),
    failuresOf: (name) => failuresOf(db, name),
    reasonOf({ subject, id }) {
      const row = db.sql('SELECT reason FROM failure WHERE subject = ? AND id = ?').get(subject, id);
      return row === undefined ? null : text(row, 'reason');
    },
    failed: (failures, kind = 'doubt') =>
      db.transaction(() => {
        const is = kind === 'refused' ? 'failed' : kind;
        settleInto(
          db,
          failures.map((failure) => ({ is, failure, at: now() })),
        );
      }),
    repairs: (since) => repairs(db, since, now()),
    blocked: (atMost = ALL) => db.sql(BLOCKED).all(atMost).map(blockedOf),
    notes: (name) =>
      db.sql('SELECT * FROM blocked WHERE id = ? OR name_key = ?').all(name, foldUsername(name)).map(noteOf),
    keepNotes: (of) =>
      db.transaction(() => {
        keepNotes(db, of);
        if (of === undefined) db.sql(FORGET_SETTLED).run(run());
      }),
  };
}
