import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Database } from '../database/database.ts';
import { HAS_PINNED_HASH } from '../database/pinned.ts';
import { unmark } from '../database/marks.ts';

const READ = [
  'DELETE FROM staging.seen WHERE person = (SELECT rowid FROM person WHERE id = :id)',
  `DELETE FROM staging.refused WHERE id = :id AND subject <> 'unit'`,
  `${unmark('hasLeft')} AND key = :id`,
  `DELETE FROM staging.loss WHERE id = :id AND subject = 'person'`,
] as const;

/** Takes all managed people who are not pinned for unchanged. */
const KEEP_UNPINNED = `
  ${unmark('hasLeft')};
  DELETE FROM staging.person AS d WHERE NOT ${HAS_PINNED_HASH} AND id IN (SELECT id FROM person WHERE state = 'managed');
  INSERT OR IGNORE INTO staging.seen (person) SELECT p.rowid FROM person p
    WHERE p.state = 'managed' AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id);`;

interface Found {
  readonly secretHash: string | null;
  readonly secrets: Buffer | null;
  readonly has: string | null;
  readonly broughtBy: string | null;
}

const FOUND = `SELECT secret_hash AS secretHash, secrets, has, brought_by AS broughtBy FROM staging.person WHERE id = ?`;

/**
 * Puts this in place of all that was read of the person, except which deciding names had a value and what brought them. Other secrets than those
 * that were sent are left out.
 */
function pinOne(db: Database, person: StagedPerson): void {
  const { id, username, hash, secretHash, problem } = person;
  const found = db.sql<Found>(FOUND).get(id);
  const { has, broughtBy } = found ?? { has: null, broughtBy: null };
  const secrets = found?.secretHash === secretHash ? found.secrets : null;
  for (const statement of READ) db.sql(statement).run({ id });
  db.sql('DELETE FROM staging.person WHERE id = ?').run(id);
  const active = person.active === null ? null : Number(person.active);
  const [key, payload] = [foldUsername(username), JSON.stringify(person.payload)];
  const insert = db.sql(
    'INSERT INTO staging.person VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, NULL)',
  );
  insert.run(id, username, key, active, hash, secretHash, payload, problem, secrets, has, broughtBy);
}

/** See `SourceStage.pin`. */
export function pinStaged(db: Database, people: readonly StagedPerson[]): void {
  for (const person of people) pinOne(db, person);
  db.exec(KEEP_UNPINNED);
}
