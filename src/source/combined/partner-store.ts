import { createHmac, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { foldUsername } from '../../domain/text/fold.ts';
import { ContentDigest } from '../../lib/digest.ts';
import { Sealer } from '../../lib/sealer.ts';
import type { Cell } from '../mapping/values/raw-record.ts';

/** Values of a partner, in the order of the names that were asked for. */
export type Partner = readonly Cell[];

type Stored = (string | readonly string[] | null)[];

/** What may not lie on a disk as it is. */
export interface PartnerSecrets {
  /** Places among the values of a partner. */
  readonly slots: ReadonlySet<number>;
  /** Whether a part of the key is one. */
  readonly isInKey: boolean;
}

/**
 * Keeps records of another source by their keys, in a file without a name that the system removes with the process:
 * memory stays flat. Secrets in it are encrypted, with a key that is nowhere else.
 */
export class PartnerStore {
  readonly #db = new Database('');
  readonly #sealer = new Sealer();
  readonly #keyOfKeys = randomBytes(32);
  readonly #secrets: PartnerSecrets;
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;
  readonly #content = new ContentDigest();

  constructor(secrets: PartnerSecrets) {
    this.#secrets = secrets;
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('cache_size = -16384');
    // Of several under one key it is enough to know that there are several.
    this.#db.exec(
      'CREATE TABLE partner (key TEXT PRIMARY KEY, cells TEXT, sealed BLOB, several INTEGER) WITHOUT ROWID',
    );
    this.#add = this.#db.prepare(
      'INSERT INTO partner VALUES (?, ?, ?, 0) ON CONFLICT (key) DO UPDATE SET several = 1',
    );
    this.#find = this.#db.prepare('SELECT cells, sealed, several FROM partner WHERE key = ?').raw();
  }

  /** Adds the partners of one batch. */
  add(partners: Iterable<{ readonly key: readonly string[]; readonly cells: Partner }>): void {
    this.#db.transaction(() => {
      for (const { key, cells } of partners) this.#addOne(this.#keyOf(key), cells);
    })();
  }

  /** Returns the partner under a key, in any case; `several`: there is more than one; `null`: there is none. */
  find(key: readonly string[]): Partner | 'several' | null {
    const row = this.#find.get(this.#keyOf(key)) as readonly [string, Buffer | null, number] | undefined;
    if (row === undefined) return null;
    const [cells, sealed, several] = row;
    return several === 1 ? 'several' : this.#whole(cells, sealed);
  }

  /** Returns what tells these partners from others, in whatever order they came. */
  get content(): string {
    return this.#content.text;
  }

  close(): void {
    this.#db.close();
  }

  #addOne(key: string, cells: Partner): void {
    const { slots } = this.#secrets;
    const stored = cells.map((cell) => cell ?? null);
    this.#content.add(JSON.stringify([key, stored]));
    if (slots.size === 0) {
      this.#add.run(key, JSON.stringify(stored), null);
      return;
    }
    const open = stored.map((cell, slot) => (slots.has(slot) ? null : cell));
    const hidden = stored.map((cell, slot) => (slots.has(slot) ? cell : null));
    this.#add.run(key, JSON.stringify(open), this.#sealer.seal(JSON.stringify(hidden)));
  }

  #whole(cells: string, sealed: Buffer | null): Partner {
    const open = JSON.parse(cells) as Stored;
    const hidden = sealed === null ? [] : (JSON.parse(this.#sealer.open(sealed)) as Stored);
    return open.map((cell, slot) => cell ?? hidden[slot] ?? undefined);
  }

  #keyOf(key: readonly string[]): string {
    const text = JSON.stringify(key.map((part) => foldUsername(part)));
    if (!this.#secrets.isInKey) return text;
    return createHmac('sha256', this.#keyOfKeys).update(text).digest('base64');
  }
}
