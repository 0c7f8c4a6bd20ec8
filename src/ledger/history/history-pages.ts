import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { HistoryEntry, HistoryRecord, Places } from '../../domain/ports/history.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { bytes, number, text, type Database, type Row } from '../database/database.ts';
import { addEntry, causeOf, packFields, unpackFields, type Done, type Packed } from './history-rows.ts';

/** One change of one record, as it is written down. */
export interface NewEntry extends Pick<Done, 'subject' | 'id'> {
  readonly record: HistoryRecord;
}

/** Fewer entries than this stand in rows of their own. */
const LEAST = 20;

/** An entry of a page. `null` stands for one that was taken out: the others keep their numbers. */
type Kept = readonly [id: string, label: string, fields: readonly Packed[], places?: Places] | null;

/**
 * Writes down what one call did. Many people with the same change, for the same reason, share a page: what they have in
 * common stands in its columns, the rest is compressed together. A first load is nearly all of a history.
 */
export function addEntries(db: Database, when: Pick<Done, 'at' | 'run'>, entries: readonly NewEntry[]): void {
  const alike = groupBy(entries, ({ subject, record: { kind, why, origin, guard, approval } }) =>
    JSON.stringify([subject, kind, why, origin, guard, approval]),
  );
  for (const group of alike.values()) {
    const [first] = group;
    if (first?.subject === 'person' && group.length >= LEAST) addPage(db, when, group, first.record);
    else for (const { record, ...named } of group) addEntry(db, { ...when, ...named }, record);
  }
}

const NUMBERS = `UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'history' RETURNING seq`;
const ADD = `
  INSERT INTO history_page (n, at, run, kind, why, origin, guard, approval, approver, keys, entries)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function addPage(
  db: Database,
  { at, run }: Pick<Done, 'at' | 'run'>,
  group: readonly NewEntry[],
  { kind, why, origin, guard, approval }: HistoryRecord,
): void {
  const kept = group.map(({ id, record: { label, fields, places } }): Kept => {
    const packed = packFields(fields);
    return places === undefined ? [id, label, packed] : [id, label, packed, places];
  });
  const n = number(db.sql(NUMBERS).get(group.length) ?? {}, 'seq');
  const cause = [kind, why, origin, guard, approval?.hash ?? null, approval?.by ?? null];
  db.sql(ADD).run(n, at, run, ...cause, ...packed(kept));
}

const packed = (kept: readonly Kept[]): readonly [keys: Buffer, entries: Buffer] => [
  keysOf(kept),
  deflateRawSync(JSON.stringify(kept)),
];

const unpacked = (row: Row): readonly Kept[] =>
  JSON.parse(inflateRawSync(bytes(row, 'entries')).toString()) as readonly Kept[];

/** Two bytes for each id and each name of a page: a page without those of an id does not have it. */
const KEY_BYTES = 2;
const keyOf = (word: string): number => hash('sha1', word, 'buffer').readUInt16LE();

function keysOf(kept: readonly Kept[]): Buffer {
  const words = kept.flatMap((one) => (one === null ? [] : [`id ${one[0]}`, `name ${foldUsername(one[1])}`]));
  const keys = Buffer.alloc(words.length * KEY_BYTES);
  for (const [at, word] of words.entries()) keys.writeUInt16LE(keyOf(word), at * KEY_BYTES);
  return keys;
}

function mayHave(keys: Buffer, wanted: ReadonlySet<number>): boolean {
  for (let at = 0; at < keys.length; at += KEY_BYTES) if (wanted.has(keys.readUInt16LE(at))) return true;
  return false;
}

/** Which pages are wanted: those that may have one of these ids, or this folded name; all without both. */
export interface PageFilter {
  /** Condition on the columns of `history_page`, and the values in it. */
  readonly where?: string;
  readonly values?: readonly (string | number)[];
  readonly ids?: readonly string[];
  readonly nameKey?: string;
  /** Absent: by time, then number. */
  readonly order?: 'n';
  /** The last one first. */
  readonly isBackwards?: boolean;
}

/** Returns the numbers of pages. */
function pagesOf(
  db: Database,
  { where = 'true', values = [], ids, nameKey, order, isBackwards }: PageFilter,
): number[] {
  const words = [
    ...(ids ?? []).map((id) => `id ${id}`),
    ...(nameKey === undefined ? [] : [`name ${nameKey}`]),
  ];
  const isAny = ids === undefined && nameKey === undefined;
  const wanted = new Set(words.map(keyOf));
  const rows = db
    .sql(
      `SELECT n, ${isAny ? 'NULL' : 'keys'} AS keys FROM history_page WHERE ${where} ORDER BY ${order ?? 'at, n'}`,
    )
    .all(...values)
    .filter((row) => isAny || mayHave(bytes(row, 'keys'), wanted))
    .map((row) => number(row, 'n'));
  return isBackwards === true ? rows.toReversed() : rows;
}

/** Yields the entries of pages, one page at a time in memory. Pages that only may have an id are yielded whole. */
export function* entriesOfPages(db: Database, filter: PageFilter): Generator<HistoryEntry> {
  for (const n of pagesOf(db, filter)) {
    const entries = entriesIn(db, n);
    yield* filter.isBackwards === true ? entries.toReversed() : entries;
  }
}

const PAGE = 'SELECT * FROM history_page WHERE n = ?';

function entriesIn(db: Database, page: number): readonly HistoryEntry[] {
  const row = db.sql(PAGE).get(page);
  return row === undefined ? [] : entriesOf(row, unpacked(row));
}

function entriesOf(row: Row, kept: readonly Kept[]): readonly HistoryEntry[] {
  const common = {
    at: number(row, 'at'),
    run: text(row, 'run'),
    subject: 'person',
    ...causeOf(row),
  } as const;
  const first = number(row, 'n') - kept.length + 1;
  return kept.flatMap((one, index) => {
    if (one === null) return [];
    const [id, label, fields, places] = one;
    const entry = { ...common, n: first + index, id, label, fields: unpackFields(fields) };
    return [places === undefined ? entry : { ...entry, places }];
  });
}

const OUT = `UPDATE history_page SET keys = ?, entries = ? WHERE n = ?`;

/**
 * Gives entries of these people rows of their own, where they can be changed one by one.
 *
 * @param filter which pages alone
 */
export function takeOutOfPages(db: Database, ids: readonly string[], filter: PageFilter = {}): void {
  if (ids.length === 0) return;
  const theirs = new Set(ids);
  for (const n of pagesOf(db, { ...filter, ids })) {
    const row = db.sql(PAGE).get(n) ?? {};
    const kept = unpacked(row);
    const out = entriesOf(row, kept).filter(({ id }) => theirs.has(id));
    if (out.length === 0) continue;
    for (const entry of out) addEntry(db, entry, entry, entry.n);
    const rest = kept.map((one) => (one === null || theirs.has(one[0]) ? null : one));
    if (rest.every((one) => one === null)) db.sql('DELETE FROM history_page WHERE n = ?').run(n);
    else db.sql(OUT).run(...packed(rest), n);
  }
}
