import type { VanishedAccounts } from '../domain/vanished.ts';
import { text } from './columns.ts';
import type { Database } from './database.ts';

export function vanishedTable(db: Database): VanishedAccounts {
  return {
    among(employeeIds, { after, until }) {
      const rows = db
        .sql(
          `SELECT employee_id FROM vanished
             WHERE at BETWEEN ? AND ? AND employee_id IN (SELECT value FROM json_each(?))`,
        )
        .all(after, until, JSON.stringify(employeeIds));
      return new Set(rows.map((row) => text(row, 'employee_id')));
    },
    saw({ gone, there, at }) {
      if (gone.length === 0 && db.sql('SELECT 1 FROM vanished LIMIT 1').get() === undefined) return;
      db.transaction(() => {
        db.sql('DELETE FROM vanished WHERE employee_id IN (SELECT value FROM json_each(?))').run(
          JSON.stringify([...there]),
        );
        db.sql('INSERT OR REPLACE INTO vanished SELECT value, ? FROM json_each(?)').run(
          at,
          JSON.stringify(gone),
        );
      });
    },
  };
}
