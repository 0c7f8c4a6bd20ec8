import type { PersonPayload } from '../../domain/records/payload.ts';
import { json, number } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/** Changes what is to be sent for staged people, a page of them in memory. */
export function rewritePayloads(db: Database, change: (payload: PersonPayload) => PersonPayload): void {
  const page = db.sql(
    'SELECT rowid AS n, payload FROM staging.person WHERE rowid > ? ORDER BY rowid LIMIT 500',
  );
  const update = db.sql('UPDATE staging.person SET payload = ? WHERE rowid = ?');
  for (let last = 0; ;) {
    const rows = page.all(last);
    if (rows.length === 0) return;
    db.transaction(() => {
      for (const row of rows) {
        last = number(row, 'n');
        update.run(JSON.stringify(change(json<PersonPayload>(row, 'payload'))), last);
      }
    });
  }
}
