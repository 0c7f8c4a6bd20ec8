import { closeSync, openSync, rmSync } from 'node:fs';
import { LedgerError } from '../../domain/errors.ts';
import { text } from '../database/columns.ts';
import { Database } from '../database/database.ts';

/**
 * Pages of records, compressed and named by their content: what has not changed since the last read is found by its
 * digest and not written again. `sequence` is the read that counts; a page in no sequence is of a read that did not end.
 */
const SCHEMA = `
  CREATE TABLE kept (n INTEGER PRIMARY KEY CHECK (n = 1), binding TEXT NOT NULL, at INTEGER NOT NULL, parts TEXT NOT NULL);
  CREATE TABLE page (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
  CREATE TABLE sequence (n INTEGER PRIMARY KEY, part INTEGER NOT NULL, page INTEGER NOT NULL);
  CREATE INDEX sequence_part ON sequence (part, n);
`;
const VERSION = 1;

/** Path of the file; its name begins with that of the ledger. */
export const keptPath = (ledger: string): string => `${ledger}.source`;

export function removeKept(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

/** Opens the file to write. One that is damaged, of another version or of another organization begins anew. */
export function openToWrite(path: string, binding: string): Database {
  const found = opened(path);
  if (found !== null && isUsable(found, binding)) return found;
  found?.close();
  removeKept(path);
  // It names everybody, as the ledger does.
  closeSync(openSync(path, 'a', 0o600));
  const made = new Database(path, { readonly: false });
  prepared(made);
  made.exec(`${SCHEMA}; PRAGMA user_version = ${VERSION};`);
  return made;
}

/** Returns whether the file is of this version, and of this organization or of none yet. */
export function isUsable(db: Database, binding: string): boolean {
  try {
    if (Number(db.pragma('user_version')) !== VERSION) return false;
    const row = db.sql('SELECT binding FROM kept').get();
    return row === undefined || text(row, 'binding') === binding;
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
}

function opened(path: string): Database | null {
  try {
    const db = new Database(path, { readonly: false });
    prepared(db);
    return db;
  } catch (error) {
    if (error instanceof LedgerError) return null;
    throw error;
  }
}

/** A crash of the machine may cost the latest read, and never a half of one. */
function prepared(db: Database): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -4096');
}
