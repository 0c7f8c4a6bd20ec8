import type { KeptPart, KeptRow } from '../../domain/ports/source-keep.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { json, number } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';
import { dataOf } from './kept-reader.ts';
import { dropLoosePages } from './kept-writer.ts';
import { linesOf, pageOf, rowsOf } from './page-text.ts';

/**
 * Erases the records of a person: those of the person, and partners that have one of the names as a value, since a
 * partner does not say whose it is.
 */
export function eraseKept(db: Database, names: readonly string[]): void {
  const wanted = new Set(names.map((name) => foldUsername(name)));
  db.pragma('secure_delete = ON');
  db.transaction(() => {
    const kept = db.sql('SELECT parts FROM kept').get();
    const parts = kept === undefined ? [] : json<readonly KeptPart[]>(kept, 'parts');
    const next = db.sql(
      'SELECT s.n, s.part, p.data FROM sequence s JOIN page p ON p.id = s.page WHERE s.n > ? ORDER BY s.n LIMIT 1',
    );
    for (let page = next.get(-1); page !== undefined; page = next.get(number(page, 'n')))
      erasePage(db, page, { wanted, isPartner: parts[number(page, 'part')]?.part === 'partners' });
    dropLoosePages(db);
  });
  db.exec('VACUUM');
  db.pragma('wal_checkpoint(TRUNCATE)');
}

interface Erasing {
  /** Folded. */
  readonly wanted: ReadonlySet<string>;
  readonly isPartner: boolean;
}

function erasePage(db: Database, page: Row, erasing: Erasing): void {
  const data = dataOf(db, page);
  const rows = rowsOf(data);
  const left = linesOf(data).filter((_, index) => !isTheirs(rows[index], erasing));
  if (left.length === rows.length) return;
  const at = number(page, 'n');
  if (left.length === 0) return db.sql('DELETE FROM sequence WHERE n = ?').run(at);
  const { digest, data: compressed } = pageOf(left);
  db.sql('INSERT OR IGNORE INTO page (digest, data) VALUES (?, ?)').run(digest, compressed());
  db.sql('UPDATE sequence SET page = (SELECT id FROM page WHERE digest = ?) WHERE n = ?').run(digest, at);
}

function isTheirs(row: KeptRow | undefined, { wanted, isPartner }: Erasing): boolean {
  if (row === undefined) return false;
  const names = isPartner ? row.values.flatMap((value) => value ?? []) : row.whose;
  return names.some((name) => wanted.has(foldUsername(name.trim())));
}
