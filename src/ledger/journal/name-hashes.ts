import { createHmac, randomBytes } from 'node:crypto';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Database } from '../database/database.ts';
import { factOf, setFact } from '../database/facts.ts';

function keyOf(db: Database): string {
  const known = factOf(db, 'forgottenKey');
  if (known !== null) return known;
  const key = randomBytes(32).toString('base64url');
  setFact(db, 'forgottenKey', key);
  return key;
}

const hashOf = (db: Database, username: string): string =>
  createHmac('sha256', keyOf(db)).update(foldUsername(username)).digest('base64url');

/** Returns whether a person was ever forgotten. Most ledgers have no forgotten person and need no hash. */
export const hasForgotten = (db: Database): boolean =>
  db.sql('SELECT 1 FROM forgotten LIMIT 1').get() !== undefined;

export function isForgotten(db: Database, username: string): boolean {
  if (!hasForgotten(db)) return false;
  return db.sql('SELECT 1 FROM forgotten WHERE name_hash = ?').get(hashOf(db, username)) !== undefined;
}

export function keepHash(db: Database, username: string): void {
  db.sql('INSERT OR IGNORE INTO forgotten VALUES (?)').run(hashOf(db, username));
}

/** A removed person, whose username nobody else has by now. */
const REMOVED = `SELECT id, username FROM person WHERE state <> 'managed' AND state = 'removed'
  AND id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM person o
    WHERE o.username_key = person.username_key AND o.id <> person.id AND o.state <> 'removed')`;

/** Keeps the usernames that removed people give up who come back under another one: they go to no stranger (promise 4). */
export function keepGivenUp(
  db: Database,
  joining: readonly { readonly id: string; readonly username: string }[],
): void {
  const names = new Map(joining.map(({ id, username }) => [id, foldUsername(username)]));
  const removed = db.sql<{ readonly id: string; readonly username: string }>(REMOVED);
  for (const { id, username } of removed.all(JSON.stringify([...names.keys()])))
    if (names.get(id) !== foldUsername(username)) keepHash(db, username);
}

export function dropHash(db: Database, username: string): void {
  if (isForgotten(db, username))
    db.sql('DELETE FROM forgotten WHERE name_hash = ?').run(hashOf(db, username));
}
