import type { VanishedAccounts } from '../../domain/ports/ledger/people.ts';
import { number, text, type Database } from '../database/database.ts';

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
    refusedSince(employeeId, status, now) {
      db.sql(
        `INSERT INTO refused_look VALUES (:employeeId, :status, :now) ON CONFLICT (employee_id) DO UPDATE SET
           since = iif(status = :status AND since <= :now, since, :now), status = :status`,
      ).run({ employeeId, status, now });
      const row = db.sql('SELECT since FROM refused_look WHERE employee_id = ?').get(employeeId);
      return row === undefined ? now : number(row, 'since');
    },
    saw({ gone, there, at }) {
      const known = 'SELECT 1 FROM vanished UNION ALL SELECT 1 FROM refused_look LIMIT 1';
      if (gone.length === 0 && db.sql(known).get() === undefined) return;
      const seen = JSON.stringify([...there]);
      db.transaction(() => {
        for (const table of ['vanished', 'refused_look'])
          db.sql(`DELETE FROM ${table} WHERE employee_id IN (SELECT value FROM json_each(?))`).run(seen);
        db.sql('INSERT OR REPLACE INTO vanished SELECT value, ? FROM json_each(?)').run(
          at,
          JSON.stringify(gone),
        );
      });
    },
  };
}
