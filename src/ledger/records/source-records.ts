import type { Replay, SourceRecord, SourceRecords } from '../../domain/ports/source-records.ts';
import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print } from '../../domain/records/recognition.ts';
import { json, number, text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import {
  ABSENT_ARE_GONE,
  AGAIN,
  CONTRADICTION,
  FIND_STANDING,
  KEEP_ALL,
  KEEP_CHANGES,
  MARK_STANDING,
  MISSING,
  RECORDS_INDEX,
  RECORDS_SCHEMA,
  REPLAYS,
  SHARED,
  UNREAD,
} from './records-sql.ts';

const PAGE = 1_000;

/** The source's records in the ledger, and those of a read in the staging file. */
export class SqliteSourceRecords implements SourceRecords {
  readonly #db: Database;
  /** Puts down what staging has gathered. */
  readonly #flush: () => void;
  #noted = 0;

  constructor(db: Database, flush: () => void) {
    this.#db = db;
    this.#flush = flush;
  }

  begin(): void {
    this.#noted = 0;
    this.#db.exec(RECORDS_SCHEMA);
  }

  note({ key, print, replay }: SourceRecord): void {
    this.#noted += 1;
    const told = replay === null ? null : JSON.stringify(replay);
    this.#db.sql('INSERT INTO staging.record VALUES (?, ?, ?)').run(key, print, told);
  }

  noted(): number {
    return this.#noted;
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
    return this.#count('SELECT count(*) AS n FROM source_record');
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
    return this.#count(MISSING, JSON.stringify(keys));
  }

  markStanding(): number {
    this.#flush();
    return this.#db.sql(MARK_STANDING).changes();
  }

  *replays(): Iterable<{ readonly print: Print; readonly replay: Replay }> {
    const page = this.#db.sql(REPLAYS);
    let last = 0;
    for (let rows = page.all(last, PAGE); rows.length > 0; rows = page.all(last, PAGE)) {
      for (const row of rows) {
        last = number(row, 'n');
        yield { print: text(row, 'print'), replay: json<Replay>(row, 'replay') };
      }
    }
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
  #putInto(table: 'present' | 'gone', keys: Iterable<RecordKey>): RecordKey | null {
    const put = this.#db.sql(`INSERT OR IGNORE INTO staging.${table} VALUES (?)`);
    let twice: RecordKey | null = null;
    this.#db.transaction(() => {
      for (const key of keys) if (put.changes(key) === 0) twice = key;
    });
    return twice;
  }

  #keys(sql: string, atMost: number): readonly RecordKey[] {
    return this.#db
      .sql(sql)
      .all(atMost)
      .map((row) => text(row, 'key'));
  }

  #firstKey(sql: string): RecordKey | null {
    const row = this.#db.sql(sql).get();
    return row === undefined ? null : text(row, 'key');
  }

  #count(sql: string, ...values: readonly string[]): number {
    const row = this.#db.sql(sql).get(...values);
    return row === undefined ? 0 : number(row, 'n');
  }
}
