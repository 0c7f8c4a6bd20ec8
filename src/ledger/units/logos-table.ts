import type { Logos } from '../../domain/ports/ledger/units.ts';
import { text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

export function logosTable(db: Database): Logos {
  return {
    all: () =>
      new Map(
        db
          .sql('SELECT * FROM logo')
          .all()
          .map((row) => [text(row, 'digest'), text(row, 'media_id')]),
      ),
    remember: (digest, mediaId) => db.sql('INSERT OR REPLACE INTO logo VALUES (?, ?)').run(digest, mediaId),
    forget: (digest) => db.sql('DELETE FROM logo WHERE digest = ?').run(digest),
  };
}
