import { LedgerError } from '../../domain/errors.ts';
import type { KeptRead, KeptRow } from '../../domain/ports/source-keep.ts';
import { json, number } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';
import { rowsOf } from './page-text.ts';

const NEXT = `SELECT s.n, p.data FROM sequence s JOIN page p ON p.id = s.page
  WHERE s.part = ? AND s.n > ? ORDER BY s.n LIMIT 1`;

/** Returns the read in the file, as it is now, whatever a run writes meanwhile; `null`: there is none. */
export function readKept(db: Database): KeptRead | null {
  db.exec('BEGIN');
  const kept = db.sql('SELECT at, parts FROM kept').get();
  if (kept === undefined) return null;
  return {
    at: number(kept, 'at'),
    parts: json<KeptRead['parts']>(kept, 'parts'),
    rows: (part) => rowsFrom(db, part),
    close: () => db.close(),
  };
}

function* rowsFrom(db: Database, part: number): Iterable<readonly KeptRow[]> {
  const next = db.sql(NEXT);
  for (let page = next.get(part, -1); page !== undefined; page = next.get(part, number(page, 'n')))
    yield rowsOf(dataOf(db, page));
}

export function dataOf(db: Database, row: Row): Buffer {
  const data = row['data'];
  if (Buffer.isBuffer(data)) return data;
  throw new LedgerError(`${db.path}: is damaged: remove it, the next run writes it anew`);
}
