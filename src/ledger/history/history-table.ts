import type {
  History,
  HistoryEntry,
  HistoryPlace,
  HistoryQuery,
  Unproven,
} from '../../domain/ports/history.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import {
  countOf,
  inPages,
  number,
  rowNumber,
  subjectOf,
  text,
  textsOf,
  type Database,
  type Row,
} from '../database/database.ts';
import { addEntry, entryOf, type HistoryContext } from './history-rows.ts';

const PAGE = 1_000;

const OF = 'AND subject = ? AND id IN (SELECT value FROM json_each(?))';
const rowsBetween = (of: HistoryQuery['of']): string => `
  SELECT * FROM history WHERE (at, n) > (?, ?) AND unseen = 0 ${of === null ? '' : OF} ORDER BY at, n LIMIT ${PAGE}`;
const rowsBefore = (of: HistoryQuery['of']): string => `
  SELECT * FROM history WHERE (at, n) < (?, ?) AND at >= ? AND unseen = 0 ${of === null ? '' : OF}
    ORDER BY at DESC, n DESC LIMIT ?`;
const OF_RUN = `SELECT * FROM history WHERE run = ? AND n > ? AND unseen = 0 ORDER BY n LIMIT ${PAGE}`;
const RUNS = 'SELECT run FROM history GROUP BY run ORDER BY max(n) DESC LIMIT ?';
const IN_DOUBT = `
  SELECT count(*) AS n FROM call c JOIN call_item i USING (call) WHERE c.run = ? AND c.settled_at IS NULL`;

const UNPROVEN = `
  SELECT i.subject, i.id, i.record ->> '$.label' AS name FROM call_item i JOIN call c USING (call)
    WHERE c.run = :run AND i.record NOTNULL
  UNION SELECT subject, id, name FROM history WHERE run = :run AND unseen = 1 ORDER BY 1, 2`;

/** Other names of one record are found by its id. */
const IDS_OF = `
  SELECT DISTINCT id FROM history WHERE subject = :subject AND name_key = :key
  UNION SELECT id FROM history WHERE subject = :subject AND id = :text`;

const placeOf = (row: Row): HistoryPlace => ({ at: number(row, 'at'), n: number(row, 'n') });

const valuesOf = ({ of }: HistoryQuery): readonly string[] =>
  of === null ? [] : [of.subject, JSON.stringify(of.ids)];

/** Yields entries, as many at a time as one statement gives. */
function* entries(db: Database, query: HistoryQuery): Generator<HistoryEntry> {
  const page = db.sql(rowsBetween(query.of));
  const rows = inPages(
    { at: query.since, n: 0 },
    ({ at, n }) => page.all(at, n, ...valuesOf(query)),
    placeOf,
  );
  for (const row of rows) yield entryOf(row);
}

const FIRST: HistoryPlace = { at: Number.MAX_SAFE_INTEGER, n: 0 };

function latest(
  db: Database,
  query: HistoryQuery,
  before: HistoryPlace | null,
  atMost: number,
): readonly HistoryEntry[] {
  const { at, n } = before ?? FIRST;
  return db
    .sql(rowsBefore(query.of))
    .all(at, n, query.since, ...valuesOf(query), atMost)
    .map(entryOf);
}

function* ofRun(db: Database, run: string): Generator<HistoryEntry> {
  for (const row of inPages(0, (last) => db.sql(OF_RUN).all(run, last), rowNumber)) yield entryOf(row);
}

function unprovenOf(row: Row): Unproven {
  return { subject: subjectOf(row), id: text(row, 'id'), label: text(row, 'name') };
}

/** Lets entries of this run wait until the service shows what they say. */
function leaveOut(db: Database, ids: readonly string[], run: string): void {
  const update = db.sql(`UPDATE history SET unseen = 1 WHERE subject = 'person' AND id = ? AND run = ?`);
  for (const id of ids) update.run(id, run);
}

export function historyTable(db: Database, { now, run }: HistoryContext): History {
  return {
    add: (subject, id, record) => addEntry(db, { at: now(), run: run(), subject, id }, record),
    entries: (query) => entries(db, query),
    latest: (query, before, atMost) => latest(db, query, before, atMost),
    unseen: (ids) => leaveOut(db, ids, run()),
    ofRun: (id) => ofRun(db, id),
    unproven: (id) => db.sql(UNPROVEN).all({ run: id }).map(unprovenOf),
    runs: (limit) => textsOf(db.sql(RUNS).all(limit), 'run'),
    inDoubt: (id) => countOf(db, IN_DOUBT, id),
    idsOf: (subject, name) =>
      textsOf(db.sql(IDS_OF).all({ subject, text: name, key: foldUsername(name) }), 'id'),
  };
}
