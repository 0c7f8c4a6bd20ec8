import type {
  History,
  HistoryEntry,
  HistoryPlace,
  HistoryQuery,
  Unproven,
} from '../../domain/ports/history.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { countOf, subjectOf, text, type Database, type Row } from '../database/database.ts';
import { addEntry, entryOf } from './history-rows.ts';

const PAGE = 1_000;

const ALL = `SELECT * FROM history WHERE (at, n) > (?, ?) AND unseen = 0 ORDER BY at, n LIMIT ${PAGE}`;
const OF = `
  SELECT * FROM history WHERE (at, n) > (?, ?) AND unseen = 0 AND subject = ? AND id IN (SELECT value FROM json_each(?))
  ORDER BY at, n LIMIT ${PAGE}`;
const LATEST = `
  SELECT * FROM history WHERE (at, n) < (?, ?) AND at >= ? AND unseen = 0 ORDER BY at DESC, n DESC LIMIT ?`;
const LATEST_OF = `
  SELECT * FROM history WHERE (at, n) < (?, ?) AND at >= ? AND unseen = 0
    AND subject = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY at DESC, n DESC LIMIT ?`;
const OF_RUN = `SELECT * FROM history WHERE run = ? AND n > ? AND unseen = 0 ORDER BY n LIMIT ${PAGE}`;
const RUNS = 'SELECT run FROM history GROUP BY run ORDER BY max(n) DESC LIMIT ?';
const IN_DOUBT = `
  SELECT count(*) AS n FROM call c JOIN call_item i USING (call) WHERE c.run = ? AND c.settled_at IS NULL`;

const UNPROVEN = `
  SELECT r.subject, r.id, json_extract(r.record, '$.label') AS name FROM open_record r JOIN call c USING (call)
    WHERE c.run = :run AND c.settled_at IS NOT NULL
  UNION SELECT subject, id, name FROM history WHERE run = :run AND unseen = 1 ORDER BY 1, 2`;

/** Other names of one record are found by its id. */
const IDS_OF = `
  SELECT DISTINCT id FROM history WHERE subject = :subject AND name_key = :key
  UNION SELECT id FROM history WHERE subject = :subject AND id = :text`;

/** What the history writes down with each entry. */
export interface HistoryContext {
  readonly now: () => number;
  readonly run: () => string;
}

/**
 * Yields entries page by page.
 *
 * @param page returns the entries that follow this one
 */
function* inPages(
  begin: HistoryPlace,
  page: (last: HistoryPlace) => readonly HistoryEntry[],
): Iterable<HistoryEntry> {
  let last = begin;
  for (let next = page(last); next.length > 0; next = page(last)) {
    yield* next;
    last = next.at(-1) ?? last;
  }
}

function entries(db: Database, { since, of }: HistoryQuery): Iterable<HistoryEntry> {
  const more = of === null ? [] : [of.subject, JSON.stringify(of.ids)];
  const page = db.sql(of === null ? ALL : OF);
  return inPages({ at: since, n: 0 }, ({ at, n }) => page.all(at, n, ...more).map(entryOf));
}

const FIRST: HistoryPlace = { at: Number.MAX_SAFE_INTEGER, n: 0 };

function latest(
  db: Database,
  { since, of }: HistoryQuery,
  before: HistoryPlace | null,
  atMost: number,
): readonly HistoryEntry[] {
  const { at, n } = before ?? FIRST;
  const more = of === null ? [] : [of.subject, JSON.stringify(of.ids)];
  return db
    .sql(of === null ? LATEST : LATEST_OF)
    .all(at, n, since, ...more, atMost)
    .map(entryOf);
}

function ofRun(db: Database, run: string): Iterable<HistoryEntry> {
  return inPages({ at: 0, n: 0 }, ({ n }) => db.sql(OF_RUN).all(run, n).map(entryOf));
}

function unprovenOf(row: Row): Unproven {
  return { subject: subjectOf(row), id: text(row, 'id'), label: text(row, 'name') };
}

function idsOf(db: Database, subject: string, name: string): readonly string[] {
  const rows = db.sql(IDS_OF).all({ subject, text: name, key: foldUsername(name) });
  return rows.map((row) => text(row, 'id'));
}

export function historyTable(db: Database, { now, run }: HistoryContext): History {
  return {
    add: (subject, id, record) => addEntry(db, { at: now(), run: run(), subject, id }, record),
    entries: (query) => entries(db, query),
    latest: (query, before, atMost) => latest(db, query, before, atMost),
    unseen: (subject, id) =>
      db
        .sql('UPDATE history SET unseen = 1 WHERE subject = ? AND id = ? AND run = ?')
        .run(subject, id, run()),
    ofRun: (id) => ofRun(db, id),
    unproven: (id) => db.sql(UNPROVEN).all({ run: id }).map(unprovenOf),
    runs: (limit) =>
      db
        .sql(RUNS)
        .all(limit)
        .map((row) => text(row, 'run')),
    oldest: () => {
      const row = db.sql('SELECT * FROM history ORDER BY at, n LIMIT 1').get();
      return row === undefined ? null : entryOf(row);
    },
    inDoubt: (id) => countOf(db, IN_DOUBT, id),
    idsOf: (subject, name) => idsOf(db, subject, name),
  };
}
