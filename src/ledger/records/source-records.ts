import type { Replay, SourceRecord, SourceRecords } from '../../domain/ports/source-records.ts';
import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print } from '../../domain/records/records.ts';
import { countOf, inPages, json, rowNumber, text, textsOf, type Database } from '../database/database.ts';
import { isMarked, markAll, marked } from '../database/marks.ts';

const PAGE = 1_000;

/** The source's records in the ledger, and those of a read in the staging file. */
export class SqliteSourceRecords implements SourceRecords {
  readonly #db: Database;
  /** Writes what staging has gathered. */
  readonly #flush: () => void;
  #recorded = 0;

  constructor(db: Database, flush: () => void) {
    this.#db = db;
    this.#flush = flush;
  }

  begin(): void {
    this.#recorded = 0;
    this.#db.exec(RECORDS_SCHEMA);
  }

  note({ key, print, replay }: SourceRecord): void {
    this.#recorded += 1;
    const replayText = replay === null ? null : JSON.stringify(replay);
    this.#db.sql('INSERT INTO staging.record VALUES (?, ?, ?)').run(key, print, replayText);
  }

  noted(): number {
    return this.#recorded;
  }

  shared(): RecordKey | null {
    this.#index();
    return this.#firstKey(SHARED);
  }

  again(atMost: number): readonly RecordKey[] {
    this.#db.exec(FIND_STANDING);
    return this.#keys(AGAIN, atMost);
  }

  count(): number {
    return countOf(this.#db, 'SELECT count(*) AS n FROM source_record');
  }

  present(keys: Iterable<RecordKey>): RecordKey | null {
    return this.#putInto('present', keys);
  }

  unread(atMost: number): readonly RecordKey[] {
    this.#index();
    return this.#keys(UNREAD, atMost);
  }

  absentAreGone(): void {
    this.#index();
    this.#db.exec(ABSENT_ARE_GONE);
  }

  gone(keys: Iterable<RecordKey>): void {
    this.#putInto('gone', keys);
  }

  contradiction(): RecordKey | null {
    this.#index();
    return this.#firstKey(CONTRADICTION);
  }

  missing(keys: readonly RecordKey[]): number {
    this.#index();
    return countOf(this.#db, MISSING, JSON.stringify(keys));
  }

  markStanding(): number {
    this.#flush();
    return this.#db.sql(MARK_STANDING).changes();
  }

  *replays(): Iterable<{ readonly print: Print; readonly replay: Replay }> {
    const page = this.#db.sql(REPLAYS);
    for (const row of inPages(0, (last) => page.all(last, PAGE), rowNumber))
      yield { print: text(row, 'print'), replay: json<Replay>(row, 'replay') };
  }

  keepAll(): void {
    this.#index();
    this.#db.exec(KEEP_ALL);
  }

  keepChanges(): void {
    this.#db.exec(KEEP_CHANGES);
  }

  clear(): void {
    this.#db.exec('DELETE FROM source_record');
  }

  #index(): void {
    this.#db.exec(RECORDS_INDEX);
  }

  /** Returns a key that was there already; `null`: none was. */
  #putInto(mark: 'present' | 'gone', keys: Iterable<RecordKey>): RecordKey | null {
    const put = this.#db.sql(markAll(mark, 'SELECT ? AS key'));
    let twice: RecordKey | null = null;
    this.#db.transaction(() => {
      for (const key of keys) if (put.changes(key) === 0) twice = key;
    });
    return twice;
  }

  #keys(sql: string, atMost: number): readonly RecordKey[] {
    return textsOf(this.#db.sql(sql).all(atMost), 'key');
  }

  #firstKey(sql: string): RecordKey | null {
    const row = this.#db.sql(sql).get();
    return row === undefined ? null : text(row, 'key');
  }
}

/** Statements of the source's records. `SourceRecords` says what they answer. */

/** Tables of one read; they are made only if increments are wanted. */
const RECORDS_SCHEMA = `
  CREATE TABLE staging.record (key TEXT NOT NULL, print TEXT, replay TEXT);
  -- records of the last read, with the person whom the ledger knows by them
  CREATE TABLE staging.standing (key TEXT NOT NULL, person INTEGER, is_replayed INTEGER NOT NULL);
`;

const RECORDS_INDEX = 'CREATE INDEX IF NOT EXISTS staging.record_key ON record (key)';

/** Looks each record up once, as `SourceStage.recognize` does; an outer join would read the people's rows as well. */
const FIND_STANDING = `
  INSERT INTO staging.standing SELECT key, (
      SELECT p.rowid FROM person p INDEXED BY person_print
        WHERE p.print = r.print AND p.open = 0 AND p.hash IS NOT NULL
    ), replay IS NOT NULL FROM source_record r`;

const STAYS = `NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = r.key)
  AND NOT ${isMarked('gone', 'r.key')}`;

const SHARED = 'SELECT key FROM staging.record GROUP BY key HAVING count(*) > 1 LIMIT 1';

/** What is kept of a leaver is not enough while the account is active: the record may say otherwise by now. */
const AGAIN = `
  SELECT key FROM staging.standing WHERE person IS NULL AND (is_replayed = 0 OR key IN (
    SELECT r.key FROM source_record r JOIN left_inside l ON l.id = r.replay ->> '$.inactive.id')) LIMIT ?`;

const UNREAD = `
  SELECT key FROM ${marked('present')} n WHERE NOT EXISTS (SELECT 1 FROM source_record r WHERE r.key = n.key)
    AND NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = n.key) LIMIT ?`;

const ABSENT_ARE_GONE = markAll(
  'gone',
  `SELECT key FROM source_record r WHERE NOT ${isMarked('present', 'r.key')}
    AND NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = r.key)`,
);

const CONTRADICTION = `SELECT key FROM ${marked('gone')} JOIN staging.record USING (key) LIMIT 1`;

const MISSING = `
  SELECT count(*) AS n FROM json_each(?) a WHERE NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = a.value)
    AND NOT ${isMarked('gone', 'a.value')}`;

const MARK_STANDING = `
  INSERT OR IGNORE INTO staging.seen (person) SELECT person FROM staging.standing r WHERE person IS NOT NULL AND ${STAYS}`;

const REPLAYS = `
  SELECT r.rowid AS n, k.print, k.replay FROM staging.standing r CROSS JOIN source_record k ON k.key = r.key
    WHERE r.rowid > ? AND r.person IS NULL AND r.is_replayed = 1 AND ${STAYS} ORDER BY r.rowid LIMIT ?`;

const KEEP_ALL = `
  DELETE FROM source_record WHERE NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = source_record.key);
  INSERT OR REPLACE INTO source_record SELECT key, print, replay FROM staging.record d
    WHERE NOT EXISTS (SELECT 1 FROM source_record r WHERE r.key = d.key AND r.print IS d.print AND r.replay IS d.replay);
`;

const KEEP_CHANGES = `
  DELETE FROM source_record WHERE key IN (SELECT key FROM ${marked('gone')});
  INSERT OR REPLACE INTO source_record SELECT key, print, replay FROM staging.record;
`;
