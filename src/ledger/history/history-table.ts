import type {
  History,
  HistoryEntry,
  HistoryPlace,
  HistoryQuery,
  Subject,
  Unproven,
} from '../../domain/ports/history.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import {
  countOf,
  inPages,
  number,
  subjectOf,
  text,
  textsOf,
  type Database,
  type Row,
} from '../database/database.ts';
import { entriesOfPages, takeOutOfPages, type PageFilter } from './history-pages.ts';
import { addEntry, entryOf, type HistoryContext } from './history-rows.ts';

const PAGE = 1_000;

const OF = 'AND subject = ? AND id IN (SELECT value FROM json_each(?))';
const rowsBetween = (of: HistoryQuery['of']): string => `
  SELECT * FROM history WHERE (at, n) > (?, ?) AND unseen = 0 ${of === null ? '' : OF} ORDER BY at, n LIMIT ${PAGE}`;
const rowsBefore = (of: HistoryQuery['of']): string => `
  SELECT * FROM history WHERE (at, n) < (?, ?) AND at >= ? AND unseen = 0 ${of === null ? '' : OF}
    ORDER BY at DESC, n DESC LIMIT ${PAGE}`;
const OF_RUN = `SELECT * FROM history WHERE run = ? AND n > ? AND unseen = 0 ORDER BY n LIMIT ${PAGE}`;
const RUNS = `
  SELECT run FROM (SELECT run, max(n) AS n FROM history GROUP BY run UNION ALL SELECT run, n FROM history_page)
    GROUP BY run ORDER BY max(n) DESC LIMIT ?`;
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

const isBefore = (a: HistoryPlace, b: HistoryPlace): boolean => a.at < b.at || (a.at === b.at && a.n < b.n);

/**
 * Yields what stands in rows, as many at a time as one statement gives.
 *
 * @param rows returns those that follow this place
 */
function* inRows(begin: HistoryPlace, rows: (last: HistoryPlace) => readonly Row[]): Generator<HistoryEntry> {
  for (const row of inPages(begin, rows, placeOf)) yield entryOf(row);
}

const placeOf = (row: Row): HistoryPlace => ({ at: number(row, 'at'), n: number(row, 'n') });

/** Merges two sequences that are in the same order. */
function* merged(
  a: Iterator<HistoryEntry>,
  b: Iterator<HistoryEntry>,
  isFirst: (a: HistoryPlace, b: HistoryPlace) => boolean,
): Generator<HistoryEntry> {
  let [one, other] = [a.next(), b.next()];
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && isFirst(one.value, other.value))) {
      yield one.value as HistoryEntry;
      one = a.next();
    } else {
      yield other.value;
      other = b.next();
    }
  }
}

/** Yields the entries of pages that a query asks for. */
function* inHistoryPages(db: Database, { of }: HistoryQuery, which: PageFilter): Generator<HistoryEntry> {
  if (of?.subject === 'unit') return;
  const ids = of === null ? null : new Set(of.ids);
  const filter = of === null ? which : { ...which, ids: of.ids };
  for (const entry of entriesOfPages(db, filter)) if (ids === null || ids.has(entry.id)) yield entry;
}

const valuesOf = ({ of }: HistoryQuery): readonly string[] =>
  of === null ? [] : [of.subject, JSON.stringify(of.ids)];

function entries(db: Database, query: HistoryQuery): Iterable<HistoryEntry> {
  const page = db.sql(rowsBetween(query.of));
  const begin = { at: query.since, n: 0 };
  const rows = inRows(begin, ({ at, n }) => page.all(at, n, ...valuesOf(query)));
  return merged(rows, inHistoryPages(db, query, { where: 'at >= ?', values: [query.since] }), isBefore);
}

const FIRST: HistoryPlace = { at: Number.MAX_SAFE_INTEGER, n: 0 };

function latest(
  db: Database,
  query: HistoryQuery,
  before: HistoryPlace | null,
  atMost: number,
): readonly HistoryEntry[] {
  const place = before ?? FIRST;
  const page = db.sql(rowsBefore(query.of));
  const rows = inRows(place, ({ at, n }) => page.all(at, n, query.since, ...valuesOf(query)));
  const filter = { where: 'at <= ? AND at >= ?', values: [place.at, query.since], isBackwards: true };
  const found: HistoryEntry[] = [];
  for (const entry of merged(rows, inHistoryPages(db, query, filter), (a, b) => isBefore(b, a))) {
    if (found.length === atMost) break;
    if (isBefore(entry, place)) found.push(entry);
  }
  return found;
}

function ofRun(db: Database, run: string): Iterable<HistoryEntry> {
  const rows = inRows({ at: 0, n: 0 }, ({ n }) => db.sql(OF_RUN).all(run, n));
  const pages = entriesOfPages(db, { where: 'run = ?', values: [run], order: 'n' });
  return merged(rows, pages, (a, b) => a.n < b.n);
}

/** Returns the oldest entry. */
function oldest(db: Database): HistoryEntry | null {
  const [first] = entries(db, { since: 0, of: null });
  return first ?? null;
}

function unprovenOf(row: Row): Unproven {
  return { subject: subjectOf(row), id: text(row, 'id'), label: text(row, 'name') };
}

function idsOf(db: Database, subject: Subject, name: string): readonly string[] {
  const key = foldUsername(name);
  const ids = new Set(textsOf(db.sql(IDS_OF).all({ subject, text: name, key }), 'id'));
  if (subject === 'unit') return [...ids];
  for (const { id, label } of entriesOfPages(db, { ids: [name], nameKey: key }))
    if (id === name || foldUsername(label) === key) ids.add(id);
  return [...ids];
}

/** Lets entries of this run wait until the service shows what they say. */
function leaveOut(db: Database, ids: readonly string[], run: string): void {
  takeOutOfPages(db, ids, { where: 'run = ?', values: [run] });
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
    oldest: () => oldest(db),
    inDoubt: (id) => countOf(db, IN_DOUBT, id),
    idsOf: (subject, name) => idsOf(db, subject, name),
  };
}
