import type { VanishedAccounts } from '../../domain/ports/ledger/people.ts';
import { json, textsOf, type Database } from '../database/database.ts';
import { marked, markOne, unmark } from '../database/marks.ts';

/** Most ledgers have no such marks: then those of the ids that exist need not be looked up. */
const IS_ANY = `SELECT 1 FROM ${marked('vanished')} UNION ALL SELECT 1 FROM ${marked('refusedLook')} LIMIT 1`;

interface RefusedLook {
  readonly status: number;
  /** ms */
  readonly since: number;
}

export function vanishedTable(db: Database): VanishedAccounts {
  return {
    among(employeeIds, { after, until }) {
      const rows = db
        .sql(
          `SELECT key FROM ${marked('vanished')}
             WHERE CAST(note AS INTEGER) BETWEEN ? AND ? AND key IN (SELECT value FROM json_each(?))`,
        )
        .all(after, until, JSON.stringify(employeeIds));
      return new Set(textsOf(rows, 'key'));
    },
    refusedSince(employeeId, status, now) {
      const row = db.sql(`SELECT note FROM ${marked('refusedLook')} WHERE key = ?`).get(employeeId);
      const known = row === undefined ? null : json<RefusedLook>(row, 'note');
      const since = known?.status === status && known.since <= now ? known.since : now;
      db.sql(markOne('refusedLook')).run(employeeId, JSON.stringify({ status, since } satisfies RefusedLook));
      return since;
    },
    saw({ gone, there, at }) {
      if (gone.length === 0 && db.sql(IS_ANY).get() === undefined) return;
      const seen = JSON.stringify([...there]);
      db.transaction(() => {
        for (const mark of ['vanished', 'refusedLook'] as const)
          db.sql(`${unmark(mark)} AND key IN (SELECT value FROM json_each(?))`).run(seen);
        for (const id of gone) db.sql(markOne('vanished')).run(id, String(at));
      });
    },
  };
}
