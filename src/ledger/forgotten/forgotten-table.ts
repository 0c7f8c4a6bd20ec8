import type { Erasable, Forgotten } from '../../domain/ports/ledger/people.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import { formerlyOf } from '../../domain/records/account-named.ts';
import type { Database } from '../database/database.ts';
import { personEntryOf } from '../people/person-entry.ts';
import { erasePerson } from './erase-person.ts';
import { isForgotten } from '../people/name-hashes.ts';

/** Ids of accounts that the person had before begin with the person's id. */
const ACCOUNTS = `SELECT * FROM person WHERE id = :id OR (id > :from AND id < :to) ORDER BY id`;
const LAST = '\u{10FFFF}';

function accountsOf(db: Database, id: string): Erasable {
  const rows = db.sql(ACCOUNTS).all({ id, from: `${id} (was `, to: `${id} (was ${LAST}` });
  const entries = rows.map(personEntryOf);
  const accounts = entries.filter((entry) => entry.id === id || formerlyOf(entry.id, entry.username) === id);
  return { accounts, isInDoubt: isInDoubt(db, accounts) };
}

const OPEN = `SELECT 1 FROM call c JOIN call_item i USING (call)
  WHERE c.settled_at IS NULL AND i.subject = 'person' AND i.id IN (SELECT value FROM json_each(?)) LIMIT 1`;

const isInDoubt = (db: Database, accounts: readonly PersonEntry[]): boolean =>
  db.sql(OPEN).get(JSON.stringify(accounts.map(({ id }) => id))) !== undefined;

function wipe(db: Database): boolean {
  db.exec('VACUUM');
  return db.pragma('wal_checkpoint(TRUNCATE)') === 0;
}

export function forgottenTable(db: Database): Forgotten {
  return {
    has: (username) => isForgotten(db, username),
    accountsOf: (id) => accountsOf(db, id),
    erase(accounts) {
      db.pragma('secure_delete = ON');
      const entries = db.transaction(() => erasePerson(db, accounts));
      return { entries, isWiped: wipe(db) };
    },
  };
}
