import { crc32 } from 'node:zlib';
import type { KeptEnd, KeptPart, KeptRow, KeptRows } from '../../domain/ports/source-keep.ts';
import { number } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { pageOf, spellRow } from './page-text.ts';

/** A page ends after a record whose text says so: one record more in the middle changes one page, not all after it. */
const PAGE_ENDS = 64;
const PAGE_AT_MOST = 256;

export type WrittenPart = KeptPart & KeptEnd & { records: number };

interface Placed {
  readonly part: number;
  readonly page: number;
}

/** Writes one read. Memory holds one page, and the numbers of all. */
export class KeptWriter {
  readonly #db: Database;
  readonly #at: number;
  readonly #parts: WrittenPart[] = [];
  readonly #sequence: Placed[] = [];

  constructor(db: Database, at: number) {
    this.#db = db;
    this.#at = at;
  }

  /** Returns what takes the records of a part; `null`: they are here already. */
  part(part: KeptPart): KeptRows | null {
    const key = keyOf(part);
    if (this.#parts.some((one) => keyOf(one) === key)) return null;
    const written: WrittenPart = { ...part, left: {}, unknown: {}, records: 0 };
    const index = this.#parts.push(written) - 1;
    let rows: string[] = [];
    return {
      add: (row: KeptRow) => {
        const text = spellRow(row);
        rows.push(text);
        written.records += 1;
        if (rows.length < PAGE_AT_MOST && crc32(text) % PAGE_ENDS !== 0) return;
        this.#page(index, rows);
        rows = [];
      },
      end: (end: KeptEnd) => {
        if (rows.length > 0) this.#page(index, rows);
        Object.assign(written, end);
      },
    };
  }

  /** Puts this read in place of the older one: all of it, or nothing. Returns the number of people. */
  replace(binding: string): number {
    const parts = JSON.stringify(this.#parts);
    this.#db.transaction(() => {
      if (!this.#isAsBefore(parts)) {
        this.#db.exec('DELETE FROM sequence');
        const insert = this.#db.sql('INSERT INTO sequence VALUES (?, ?, ?)');
        for (const [n, { part, page }] of this.#sequence.entries()) insert.run(n, part, page);
      }
      this.#db.sql('INSERT OR REPLACE INTO kept VALUES (1, ?, ?, ?)').run(binding, this.#at, parts);
      dropLoosePages(this.#db);
    });
    return this.#parts.reduce((sum, { part, records }) => (part === 'people' ? sum + records : sum), 0);
  }

  #page(part: number, rows: readonly string[]): void {
    const { digest, data } = pageOf(rows);
    const known = this.#db.sql('SELECT id FROM page WHERE digest = ?').get(digest);
    const insert = 'INSERT INTO page (digest, data) VALUES (?, ?) RETURNING id';
    const row = known ?? this.#db.sql(insert).get(digest, data());
    this.#sequence.push({ part, page: number(row ?? {}, 'id') });
  }

  #isAsBefore(parts: string): boolean {
    const kept = this.#db.sql('SELECT parts FROM kept').get();
    if (kept?.['parts'] !== parts) return false;
    const before = this.#db.sql('SELECT part, page FROM sequence ORDER BY n').all();
    return JSON.stringify(before) === JSON.stringify(this.#sequence);
  }
}

const keyOf = ({ part, kind, place, ask, names }: KeptPart): string =>
  JSON.stringify([part, kind, place, ask, names]);

/** Removes pages of reads that were not completed, and of the one before. */
export function dropLoosePages(db: Database): void {
  db.exec('DELETE FROM page WHERE id IN (SELECT id FROM page EXCEPT SELECT page FROM sequence)');
}
