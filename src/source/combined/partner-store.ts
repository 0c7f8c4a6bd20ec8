import Database from 'better-sqlite3';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { Sealer } from '../../lib/sealer.ts';

/** Values of a partner, in the order of the names that were asked for. */
export type Partner = readonly Cell[];

/**
 * Keeps records of another source by their keys, in a file without a name that the system removes with the process:
 * memory stays flat. What is in it is encrypted, with a key that is nowhere else: records may hold secrets.
 */
export class PartnerStore {
  readonly #db = new Database('');
  readonly #sealer = new Sealer();
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;

  constructor() {
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('cache_size = -16384');
    // Of several under one key it is enough to know that there are several.
    this.#db.exec('CREATE TABLE partner (key TEXT PRIMARY KEY, cells BLOB, several INTEGER) WITHOUT ROWID');
    this.#add = this.#db.prepare(
      'INSERT INTO partner VALUES (?, ?, 0) ON CONFLICT (key) DO UPDATE SET several = 1',
    );
    this.#find = this.#db.prepare('SELECT cells, several FROM partner WHERE key = ?').raw();
  }

  /** Adds the partners of one batch. */
  add(partners: Iterable<{ readonly key: readonly string[]; readonly cells: Partner }>): void {
    this.#db.transaction(() => {
      for (const { key, cells } of partners) this.#add.run(keyOf(key), this.#sealed(cells));
    })();
  }

  /** Returns the partner under a key, in any case; `several`: there is more than one; `null`: there is none. */
  find(key: readonly string[]): Partner | 'several' | null {
    const row = this.#find.get(keyOf(key)) as readonly [Buffer, number] | undefined;
    if (row === undefined) return null;
    return row[1] === 1 ? 'several' : this.#opened(row[0]);
  }

  close(): void {
    this.#db.close();
  }

  #sealed(cells: Partner): Buffer {
    return this.#sealer.seal(JSON.stringify(cells.map((cell) => cell ?? null)));
  }

  #opened(sealed: Buffer): Partner {
    const cells = JSON.parse(this.#sealer.open(sealed)) as readonly (string | readonly string[] | null)[];
    return cells.map((cell) => cell ?? undefined);
  }
}

const keyOf = (key: readonly string[]): string => JSON.stringify(key.map((part) => foldUsername(part)));
