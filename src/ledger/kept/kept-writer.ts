import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeptEnd, KeptPart, KeptRead, KeptRow, KeptRows } from '../../domain/ports/source-keep.ts';
import type { Print } from '../../domain/records/recognition.ts';
import { json, number } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { pageOf, spellRow } from './page-text.ts';

/** A page ends after a record whose print or text says so: one record more in the middle changes one page, not all after it. */
const PAGE_ENDS = 64;
const PAGE_AT_MOST = 256;

export type WrittenPart = KeptPart & KeptEnd & { records: number };

interface Placed {
  readonly part: number;
  readonly page: number;
}

/** A record that is to be written, decoded only where its page is new. */
interface Coming {
  readonly print: Print | null;
  readonly text: () => string;
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
    let page: Coming[] = [];
    let wasRead = true;
    const close = (): void => {
      wasRead = this.#page({ part: index, key }, page) && wasRead;
      page = [];
    };
    return {
      add: (row, print) => {
        const coming = comingOf(row, print);
        page.push(coming);
        written.records += 1;
        if (page.length >= PAGE_AT_MOST || endsPage(coming)) close();
      },
      end: (told) => {
        if (page.length > 0) close();
        const end = told();
        Object.assign(written, wasRead ? end : { ...end, left: { ...this.#leftBefore(key), ...end.left } });
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

  /** Writes a page, unless it is here already. Returns whether its records were decoded. */
  #page({ part, key }: { readonly part: number; readonly key: string }, rows: readonly Coming[]): boolean {
    const prints = rows.map(({ print }) => print);
    if (!prints.every((print) => print !== null)) {
      const { digest, data } = pageOf(rows.map(({ text }) => text()));
      this.#place(part, digest, data);
      return true;
    }
    const digest = createHash('sha256')
      .update(JSON.stringify([key, prints]))
      .digest();
    return this.#place(part, digest, () => pageOf(rows.map(({ text }) => text())).data());
  }

  /** Returns whether the page was new. */
  #place(part: number, digest: Buffer, data: () => Buffer): boolean {
    const known = this.#db.sql('SELECT id FROM page WHERE digest = ?').get(digest);
    const insert = 'INSERT INTO page (digest, data) VALUES (?, ?) RETURNING id';
    const row = known ?? this.#db.sql(insert).get(digest, data());
    this.#sequence.push({ part, page: number(row ?? {}, 'id') });
    return known === undefined;
  }

  /** Returns what the read before left out of the same part: pages that were taken over may lack it too. */
  #leftBefore(key: string): KeptEnd['left'] {
    const kept = this.#db.sql('SELECT parts FROM kept').get();
    const parts = kept === undefined ? [] : json<KeptRead['parts']>(kept, 'parts');
    return parts.find((part) => keyOf(part) === key)?.left ?? {};
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

function comingOf(row: () => KeptRow, print: Print | null): Coming {
  if (print !== null) return { print, text: () => spellRow(row()) };
  const text = spellRow(row());
  return { print, text: () => text };
}

const endsPage = ({ print, text }: Coming): boolean => crc32(print ?? text()) % PAGE_ENDS === 0;

/** Removes pages of reads that were not completed, and of the one before. */
export function dropLoosePages(db: Database): void {
  db.exec('DELETE FROM page WHERE id IN (SELECT id FROM page EXCEPT SELECT page FROM sequence)');
}
