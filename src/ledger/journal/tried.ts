import { foldUsername } from '../../domain/text/fold.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/** For so long an account that shows up under a username which we asked for is the one that we asked for, ms. */
const TRIED_MS = 7 * 86_400_000;

/**
 * Accounts that we asked for and that are not there: refused, or never seen. A service may make one all the same, later or
 * in spite of what it said: then it is ours, in doubt, also of who is missing in the source by then (promise 11).
 */
export function rememberTried(db: Database, id: string, at: number): void {
  db.sql(
    `INSERT OR REPLACE INTO tried SELECT id, username, username_key, sent, ? FROM person
       WHERE id = ? AND state = 'creating' AND employee_id IS NULL`,
  ).run(at, id);
}

/** Is called for who is asked for once more: it is in the journal again. */
export function forgetTried(db: Database, id: string): void {
  db.sql('DELETE FROM tried WHERE id = ?').run(id);
}

/** Their usernames as they are compared, while they are looked for. */
export function triedUsernames(db: Database, now: number): ReadonlySet<string> {
  db.sql('DELETE FROM tried WHERE at < ?').run(now - TRIED_MS);
  return new Set(
    db
      .sql('SELECT username_key FROM tried')
      .all()
      .map((row) => text(row, 'username_key')),
  );
}

/** One of them is there. The username of somebody else by now, in the ledger or in this read, is theirs. */
export function takeTried(db: Database, { username }: Employee): void {
  const key = foldUsername(username);
  db.sql(
    `INSERT OR IGNORE INTO person (id, username, username_key, state, sent, open)
       SELECT id, :username, username_key, 'creating', sent, 1 FROM tried t WHERE username_key = :key
         AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = :key AND p.state <> 'removed')
         AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.username_key = :key AND d.id <> t.id)`,
  ).run({ username, key });
  db.sql('DELETE FROM tried WHERE username_key = ?').run(key);
}
