import type Database from 'better-sqlite3';

import type { Decisive } from '../../domain/records/records.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { Sealer } from '../../lib/sealer.ts';
import { temporaryDatabase } from '../connect/temporary-database.ts';
import { Garbled, Unknown, type Value, type Values } from '../mapping/values/raw-record.ts';

/** A record of the other source: its values by the names of that source. */
export interface Partner {
  readonly values: Values;
  /** What it has of the columns that decide; absent: nothing. */
  readonly has?: Decisive | undefined;
}

/** A partner with what it is found by. */
export interface Keyed extends Partner {
  readonly key: readonly string[];
  /** Set if it has other keys too: it is unknown which one is meant. */
  readonly isOneOf?: true;
}

/** A partner as JSON has it. */
interface Stored extends Pick<Partner, 'has'> {
  readonly values: readonly (readonly [name: string, value: StoredValue])[];
}

type StoredValue =
  | string
  | readonly string[]
  | { readonly unknown: string | null }
  | { readonly garbled: string | readonly string[] };

const SCHEMA =
  'CREATE TABLE partner (key TEXT PRIMARY KEY, stored BLOB, mark TEXT, several INTEGER) WITHOUT ROWID';

/** Keeps records of another source by their keys, during one read. If some hold secrets, all are encrypted. */
export class PartnerStore {
  readonly #db = temporaryDatabase(SCHEMA);
  readonly #hasSecrets: boolean;
  readonly #sealer = new Sealer();
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;

  constructor(hasSecrets: boolean) {
    this.#hasSecrets = hasSecrets;
    // Of several under one key it is enough to know that there are several. Equal ones are one.
    const again =
      'ON CONFLICT (key) DO UPDATE SET several = 1 WHERE mark <> excluded.mark OR excluded.several';
    this.#add = this.#db.prepare(`INSERT INTO partner VALUES (?, ?, ?, ?) ${again}`);
    this.#find = this.#db.prepare('SELECT stored, several FROM partner WHERE key = ?').raw();
  }

  /** Adds the partners of one batch. */
  add(partners: Iterable<Keyed>): void {
    this.#db.transaction(() => {
      for (const { key, isOneOf, ...partner } of partners) {
        const text = JSON.stringify(storedOf(partner));
        const stored = this.#hasSecrets ? this.#sealer.seal(text) : Buffer.from(text);
        this.#add.run(this.#keyOf(key), stored, this.#sealer.mark(text), isOneOf === true ? 1 : 0);
      }
    })();
  }

  /**
   * Returns the partner under a key, in any case; `several`: there is more than one, or the only one has other keys
   * too; `null`: there is none.
   */
  find(key: readonly string[]): Partner | 'several' | null {
    const row = this.#find.get(this.#keyOf(key)) as readonly [Buffer, number] | undefined;
    if (row === undefined) return null;
    const [stored, several] = row;
    if (several === 1) return 'several';
    return partnerOf(JSON.parse(this.#hasSecrets ? this.#sealer.open(stored) : stored.toString()) as Stored);
  }

  close(): void {
    this.#db.close();
  }

  #keyOf(key: readonly string[]): string {
    const text = JSON.stringify(key.map((part) => foldUsername(part)));
    return this.#hasSecrets ? this.#sealer.mark(text) : text;
  }
}

function storedOf({ values, has }: Partner): Stored {
  return { values: [...values].flatMap(([name, value]) => storedValue(name, value)), has };
}

function storedValue(name: string, value: Value): Stored['values'] {
  if (value === undefined) return [];
  if (value instanceof Unknown) return [[name, { unknown: value.why ?? null }]];
  return [[name, value instanceof Garbled ? { garbled: value.cell ?? [] } : value]];
}

function partnerOf({ values, has }: Stored): Partner {
  return { values: new Map(values.map(([name, value]) => [name, valueOf(value)])), has };
}

function valueOf(stored: StoredValue): Value {
  if (typeof stored === 'string' || !('unknown' in stored || 'garbled' in stored)) return stored;
  return 'unknown' in stored ? new Unknown(stored.unknown ?? undefined) : new Garbled(stored.garbled);
}
