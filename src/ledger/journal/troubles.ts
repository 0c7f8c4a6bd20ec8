import type { Note, RecordedFailure, Troubles } from '../../domain/ports/ledger/troubles.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Database } from '../database/database.ts';
import { IS_REPAIR } from '../database/schema.ts';
import { nameOf } from '../database/names.ts';
import { blockedOf, NOTE, type NoteRow } from '../staging/plan-book.ts';
import type { HistoryContext } from '../history/history-rows.ts';
import { settleInto } from './settle.ts';

/** As a limit of SQLite. */
const ALL = -1;

interface FailureRow extends Omit<RecordedFailure, 'name' | 'digest'> {
  readonly name: string | null;
  readonly digest: string | null;
}

const FAILURES = `SELECT subject, id, label, reason, attempts, first_at AS firstAt, last_at AS lastAt, kind, digest,
  ${nameOf('failure')} FROM failure`;

const failureOf = ({ name, digest, ...failure }: FailureRow): RecordedFailure => ({
  ...(name !== null && { name }),
  ...(digest !== null && { digest }),
  ...failure,
});

/** Folded names are compared here, which SQLite cannot do. */
function failures(
  db: Database,
  which: Parameters<Troubles['failures']>[0] = ALL,
): readonly RecordedFailure[] {
  if (typeof which === 'object' && 'id' in which) {
    const { subject, id } = which;
    return db.sql<FailureRow>(`${FAILURES} WHERE subject = ? AND id = ?`).all(subject, id).map(failureOf);
  }
  const [key, atMost] = typeof which === 'number' ? [null, which] : [foldUsername(which.name), ALL];
  const rows = db.sql<FailureRow>(`${FAILURES} ORDER BY subject, id LIMIT ?`).all(atMost);
  const isMeant = ({ id, label }: FailureRow): boolean =>
    key === null || foldUsername(id) === key || foldUsername(label) === key;
  return rows.filter(isMeant).map(failureOf);
}

const REPAIRS = `
  SELECT subject || ' ' || history.id || ' ' || (f.value ->> '$.field') AS key, count(*) AS n
  FROM history, json_each(fields) f WHERE ${IS_REPAIR} AND at BETWEEN ? AND ? GROUP BY 1`;

function repairs(db: Database, since: number, now: number): ReadonlyMap<string, number> {
  const rows = db.sql<{ readonly key: string; readonly n: number }>(REPAIRS).all(since, now);
  return new Map(rows.map(({ key, n }) => [key, n]));
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
const BLOCKED = `SELECT ${NOTE}, ${nameOf('blocked')} FROM
  (SELECT * FROM blocked WHERE kind = 'blocked' ORDER BY subject, id LIMIT ?) AS blocked`;

const NOTES = `SELECT ${NOTE}, NULL AS name FROM blocked WHERE id = ? OR name_key = ?`;

const noteOf = (row: NoteRow): Note => ({ kind: row.kind, hash: row.hash ?? null, ...blockedOf(row) });

const FORGET_SETTLED = `DELETE FROM failure WHERE (kind = 'refused' OR subject = 'person')
  AND last_at < (SELECT started_at FROM run WHERE id = ?)
  AND NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.subject = failure.subject AND c.id = failure.id)
  AND NOT EXISTS (SELECT 1 FROM staging.blocked b WHERE b.subject = failure.subject AND b.id = failure.id
    AND b.goes_on = 0 AND b.kind = 'blocked')`;

export function troublesTables(db: Database, { now, run }: HistoryContext): Troubles {
  return {
    failures: (which) => failures(db, which),
    failed: (failing, kind = 'doubt') =>
      db.transaction(() => {
        const is = kind === 'refused' ? 'failed' : kind;
        settleInto(
          db,
          failing.map((failure) => ({ is, failure, at: now() })),
        );
      }),
    repairs: (since) => repairs(db, since, now()),
    blocked: (atMost = ALL) => db.sql<NoteRow>(BLOCKED).all(atMost).map(blockedOf),
    notes: (name) => db.sql<NoteRow>(NOTES).all(name, foldUsername(name)).map(noteOf),
    keepNotes: (of) =>
      db.transaction(() => {
        keepNotes(db, of);
        if (of === undefined) db.sql(FORGET_SETTLED).run(run());
      }),
  };
}
