import { foldUsername } from '../../domain/text/fold.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { textsOf, type Database } from '../database/database.ts';
import { markAll, marked, unmark } from '../database/marks.ts';

/** How long, in ms, an account that shows up under a username that we asked for counts as the one that we asked for. */
const TRIED_MS = 7 * 86_400_000;

/**
 * Remembers an account that we asked for and that is not there: it was refused, or never seen. A service may make it
 * all the same, later or in spite of its answer. Then it is ours, in doubt, also if the person is missing in the
 * source by then (promise 11).
 */
export function rememberTried(db: Database, id: string, at: number): void {
  forgetTried(db, [id]);
  db.sql(
    markAll(
      'tried',
      `SELECT id AS key, json_object('username', username, 'key', username_key, 'sent', json(sent), 'at', ?) AS tried
         FROM person WHERE id = ? AND state = 'creating' AND employee_id IS NULL`,
      'tried',
    ),
  ).run(at, id);
}

/** Forgets accounts that are asked for again, by source ids: they are in the journal again. */
export function forgetTried(db: Database, ids: readonly string[]): void {
  db.sql(`${unmark('tried')} AND key IN (SELECT value FROM json_each(?))`).run(JSON.stringify(ids));
}

/** Returns the folded usernames of the accounts that are still looked for; forgets those that are too old. */
export function triedUsernames(db: Database, now: number): ReadonlySet<string> {
  db.sql(`${unmark('tried')} AND note ->> '$.at' < ?`).run(now - TRIED_MS);
  const tried = db.sql(`SELECT note ->> '$.key' AS name FROM ${marked('tried')}`).all();
  return new Set(textsOf(tried, 'name'));
}

/**
 * Takes an account that showed up as ours. If the ledger or this read now has the username for another
 * person, the account is theirs.
 */
export function takeTried(db: Database, { username }: Employee): void {
  const key = foldUsername(username);
  db.sql(
    `INSERT OR IGNORE INTO person (id, username, username_key, state, sent, open)
       SELECT key, :username, :key, 'creating', note -> '$.sent', 1 FROM ${marked('tried')} t WHERE note ->> '$.key' = :key
         AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = :key AND p.state <> 'removed')
         AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.username_key = :key AND d.id <> t.key)`,
  ).run({ username, key });
  db.sql(`${unmark('tried')} AND note ->> '$.key' = ?`).run(key);
}
