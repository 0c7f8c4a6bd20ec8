import type { Forgotten } from '../../domain/ports/ledger/people.ts';
import type { Database } from '../database/database.ts';
import { sweepCopies } from '../copies/open-file.ts';
import { erasePerson } from './erase-person.ts';
import { isForgotten } from '../journal/name-hashes.ts';

function wipe(db: Database): boolean {
  db.exec('VACUUM');
  return db.pragma('wal_checkpoint(TRUNCATE)') === 0;
}

export function forgottenTable(db: Database): Forgotten {
  return {
    has: (username) => isForgotten(db, username),
    erase(entry) {
      db.pragma('secure_delete = ON');
      const entries = entry === null ? 0 : db.transaction(() => erasePerson(db, entry));
      // A `plan` that still works on one keeps it open.
      sweepCopies(db.path, 0);
      return { entries, isWiped: wipe(db) };
    },
  };
}
