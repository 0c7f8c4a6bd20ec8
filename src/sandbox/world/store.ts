import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import Database from 'better-sqlite3';
import { SandboxOptionError } from '../options/settings.ts';
import type { Stored } from './table.ts';
import { KINDS, type ChangedIds, type RecordKind, type World } from './world.ts';

interface StoredRow {
  readonly kind: RecordKind;
  /** Record as v8 serializes it: JSON would lose `bigint`. */
  readonly body: Buffer;
}

interface Fact {
  readonly value: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL, id TEXT NOT NULL, refreshed INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (kind, id)
  );
`;

/**
 * Query that loads organizations first, because positions are counted along the tree; then in the order of
 * refresh.
 */
const LOAD = `SELECT kind, body FROM record
  ORDER BY CASE kind WHEN 'organizations' THEN 0 ELSE 1 END, refreshed, rowid`;

/** The `--data` file, with one transaction per call: a killed sandbox has either done a call or not. */
export class Store {
  readonly #db: Database.Database;
  readonly #put: Database.Statement;
  readonly #remove: Database.Statement;
  readonly #setFact: Database.Statement;

  constructor(file: string) {
    this.#db = open(file);
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)');
    this.#remove = this.#db.prepare('DELETE FROM record WHERE kind = ? AND id = ?');
    this.#setFact = this.#db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)');
  }

  fact(name: string): string | undefined {
    const find = this.#db.prepare<[string], Fact>('SELECT value FROM fact WHERE name = ?');
    return find.get(name)?.value;
  }

  load(world: World): void {
    for (const row of this.#db.prepare<[], StoredRow>(LOAD).iterate()) {
      world.table(row.kind).put(deserialize(row.body) as Stored);
    }
    world.takeChanges();
  }

  write(world: World, changes: ChangedIds, facts: Readonly<Record<string, string>>): void {
    this.#db.transaction(() => {
      for (const [name, value] of Object.entries(facts)) this.#setFact.run(name, value);
      for (const kind of KINDS) {
        for (const id of changes[kind]) this.#sync(kind, id, world.table(kind).get(id));
      }
    })();
  }

  #sync(kind: RecordKind, id: string, record: { readonly refreshed: number } | undefined): void {
    if (record === undefined) this.#remove.run(kind, id);
    else this.#put.run(kind, id, record.refreshed, serialize(record));
  }

  close(): void {
    this.#db.close();
  }
}

function open(file: string): Database.Database {
  try {
    // Passwords come in as digests only, but people's data in clear: no other user may read this or an older file.
    closeSync(openSync(file, 'a', 0o600));
    const existing = ['', '-wal', '-shm'].map((suffix) => file + suffix).filter((path) => existsSync(path));
    for (const path of existing) chmodSync(path, 0o600);
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec(SCHEMA);
    return db;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxOptionError(`The data file ${file} cannot be used: ${reason}.`, { cause });
  }
}
