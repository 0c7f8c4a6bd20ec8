import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Cell } from '../mapping/values/raw-record.ts';

/** Values of a partner, in the order of the names that were asked for. */
export type Partner = readonly Cell[];

const NONCE = 12;
const TAG = 16;

/**
 * Keeps records of another source by their keys, in a file without a name that the system removes with the process:
 * memory stays flat. What is in it is encrypted, with a key that is nowhere else: records may hold secrets.
 */
export class PartnerStore {
  readonly #db = new Database('');
  readonly #key = randomBytes(32);
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
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const text = JSON.stringify(cells.map((cell) => cell ?? null));
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  #opened(sealed: Buffer): Partner {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE));
    decipher.setAuthTag(sealed.subarray(-TAG));
    const text = decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
    const cells = JSON.parse(text) as readonly (string | readonly string[] | null)[];
    return cells.map((cell) => cell ?? undefined);
  }
}

const keyOf = (key: readonly string[]): string => JSON.stringify(key.map((part) => foldUsername(part)));
