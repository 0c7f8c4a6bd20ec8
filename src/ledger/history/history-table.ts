import type {
  History,
  HistoryEntry,
  HistoryPlace,
  HistoryQuery,
  Unproven,
} from '../../domain/ports/history.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { inPages, textsOf, type Database } from '../database/database.ts';
import { addEntry, ENTRY, entryOf, type HistoryContext, type HistoryRow } from './history-rows.ts';

const PAGE = 1_000;

const SELECT = `SELECT ${ENTRY} FROM history WHERE unseen = 0 AND`;
const isOf = (of: HistoryQuery['of']): string =>
  of === null ? '' : 'AND subject = :subject AND id IN (SELECT value FROM json_each(:ids))';
const rowsAfter = (of: HistoryQuery['of']): string =>
  `${SELECT} (at, n) > (:at, :n) ${isOf(of)} ORDER BY at, n LIMIT ${PAGE}`;
const rowsBefore = (of: HistoryQuery['of']): string =>
  `${SELECT} (at, n) < (:at, :n) AND at >= :since ${isOf(of)} ORDER BY at DESC, n DESC LIMIT :atMost`;
const OF_RUN = `${SELECT} run = ? AND n > ? ORDER BY n LIMIT ${PAGE}`;
const RUNS = 'SELECT run FROM history GROUP BY run ORDER BY max(n) DESC LIMIT ?';

const UNPROVEN = `
  SELECT i.subject, i.id, i.record ->> '$.label' AS label FROM call_item i JOIN call c USING (call)
    WHERE c.run = :run AND i.record NOTNULL
  UNION SELECT subject, id, name FROM history WHERE run = :run AND unseen = 1 ORDER BY 1, 2`;

/** Other names of one record are found by its id. */
const IDS_OF = `
  SELECT DISTINCT id FROM history WHERE subject = :subject AND name_key = :key
  UNION SELECT id FROM history WHERE subject = :subject AND id = :text`;

/** Waits until the service shows what the entries say. */
const LEAVE_OUT = `UPDATE history SET unseen = 1 WHERE subject = 'person' AND run = ?
  AND id IN (SELECT value FROM json_each(?))`;

const placeOf = ({ at, n }: HistoryPlace): HistoryPlace => ({ at, n });

const valuesOf = ({ of }: HistoryQuery) =>
  of === null ? {} : { subject: of.subject, ids: JSON.stringify(of.ids) };

/** Yields entries, as many at a time as one statement gives. */
function* entries(db: Database, query: HistoryQuery): Generator<HistoryEntry> {
  const page = db.sql<HistoryRow>(rowsAfter(query.of));
  const first = { at: query.since, n: 0 };
  const rows = inPages(first, (last) => page.all({ ...last, ...valuesOf(query) }), placeOf);
  for (const row of rows) yield entryOf(row);
}

const FIRST: HistoryPlace = { at: Number.MAX_SAFE_INTEGER, n: 0 };

function* ofRun(db: Database, run: string, after: number): Generator<HistoryEntry> {
  const page = db.sql<HistoryRow>(OF_RUN);
  for (const row of inPages(
    after,
    (last) => page.all(run, last),
    ({ n }) => n,
  ))
    yield entryOf(row);
}

export function historyTable(db: Database, { now, run }: HistoryContext): History {
  return {
    add: (subject, id, record) => addEntry(db, { at: now(), run: run(), subject, id }, record),
    entries: (query) => ('run' in query ? ofRun(db, query.run, query.after ?? 0) : entries(db, query)),
    latest: (query, before, atMost) =>
      db
        .sql<HistoryRow>(rowsBefore(query.of))
        .all({ ...(before ?? FIRST), since: query.since, atMost, ...valuesOf(query) })
        .map(entryOf),
    unseen: (ids) => db.sql(LEAVE_OUT).run(run(), JSON.stringify(ids)),
    unproven: (id) => db.sql<Unproven>(UNPROVEN).all({ run: id }),
    runs: (limit) => textsOf(db.sql(RUNS).all(limit), 'run'),
    idsOf: (subject, name) =>
      textsOf(db.sql(IDS_OF).all({ subject, text: name, key: foldUsername(name) }), 'id'),
  };
}
