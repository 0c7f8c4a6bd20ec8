import { foldUsername } from '../../domain/text/fold.ts';
import type { ReadBackAccount } from '../../domain/ports/ledger/view.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { flag, text, type Database } from '../database/database.ts';
import { noteSeen, noteShown } from '../history/note-done.ts';
import { clearFailure } from '../journal/settle.ts';
import { takeTried } from '../journal/tried.ts';

/**
 * Whether the view already has the active employee like this, and no employee with another spelling. The
 * ledger must have no other person under the name than one who was accepted like this. Then nothing has to be
 * written.
 */
const IS_SAVED = `
  SELECT 1 FROM employee e
  WHERE e.username = :username AND e.id = :id AND e.locked = 0 AND e.shown = :shown AND e.created IS :created
    AND NOT EXISTS (SELECT 1 FROM employee o WHERE o.username_key = e.username_key AND o.username <> e.username)
    AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = e.username_key AND NOT coalesce(
      p.state = 'managed' AND p.username = e.username AND p.employee_id = e.id AND p.accepted = e.shown
        AND (p.created IS NOT NULL OR e.created IS NULL), 0))`;

type Row = ReturnType<typeof rowOf>;

/** Returns the row of an account, with the folded username as `key`. */
function rowOf(employee: Employee) {
  const { username, id, locked, created = null } = employee;
  const shown = JSON.stringify(shownOf(employee));
  return { username, key: foldUsername(username), id, locked: Number(locked), shown, created };
}

function isSaved(db: Database, row: Row): boolean {
  return row.locked === 0 && db.sql(IS_SAVED).get(row) !== undefined;
}

/** Remembers an employee, and opens the managed person whose accepted state it no longer matches. */
export function saveEmployee(db: Database, employee: Employee): void {
  const row = rowOf(employee);
  if (!isSaved(db, row)) save(db, row);
}

function save(db: Database, row: Row): void {
  respell(db, row);
  takeBack(db, row);
  if (row.locked === 1) takeLateLock(db, row);
  db.sql(
    'UPDATE person SET created = :created WHERE username_key = :key AND employee_id = :id AND created IS NULL',
  ).run(row);
  db.sql(
    `UPDATE person SET open = 1 WHERE username_key = :key AND username = :username AND (
       (state = 'managed' AND accepted IS NOT NULL AND (accepted <> :shown OR :locked = 1 OR employee_id <> :id))
       OR (state = 'disabled' AND :locked = 0))`,
  ).run(row);
  db.sql('INSERT OR REPLACE INTO employee VALUES (:username, :key, :id, :locked, :shown, :created, 0)').run(
    row,
  );
}

/** Most ledgers have neither: then they are not looked for by person. */
const IS_ANY = `SELECT EXISTS (SELECT 1 FROM failure WHERE subject = 'person') AS failure,
  EXISTS (SELECT 1 FROM history WHERE subject = 'person' AND unseen = 1) AS unseen`;

/** Who was imported by this run gets the print of the record that was sent. */
const ACCEPT = `UPDATE person SET employee_id = :id, created = :created, accepted = :shown, read_back = :readBack, was = NULL,
  print = iif(print = :run, (SELECT print FROM staging.person d WHERE d.id = :person), print), open = 0,
  username = iif(username_key = :key, :username, username) WHERE id = :person`;

interface Accepting {
  /** Id of the run that goes on. */
  readonly run: string;
  /** Folded usernames of accounts that we asked for in vain a short while ago. */
  readonly tried: ReadonlySet<string>;
}

export function accept(db: Database, accounts: readonly ReadBackAccount[], { run, tried }: Accepting): void {
  const any = db.sql(IS_ANY).get() ?? {};
  for (const { id: person, employee, readBack } of accounts) {
    const row = { person, readBack, run, ...rowOf(employee) };
    if (tried.has(row.key)) takeTried(db, employee);
    if (!isSaved(db, row)) save(db, row);
    db.sql(ACCEPT).run(row);
    if (flag(any, 'failure')) clearFailure(db, 'person', person);
    if (flag(any, 'unseen')) noteSeen(db, person);
  }
}

/**
 * Takes an account back that is there again. One that had vanished is what it was before. One that we removed and that
 * shows its own id came back with a backup of the service: it is still ours.
 */
function takeBack(db: Database, row: Row): void {
  db.sql(
    `UPDATE person SET state = coalesce(was, 'managed'), was = NULL, open = 1
     WHERE username_key = :key AND username = :username AND state = 'removed'
       AND iif(was IS NULL, employee_id, coalesce(employee_id, :id)) = :id`,
  ).run(row);
}

/**
 * Takes over a disable of ours that the service shows only now, or shows again: whoever comes back while their locked account
 * is not shown is imported as new.
 */
function takeLateLock(db: Database, account: Row): void {
  const late = db
    .sql(
      `UPDATE person SET state = 'disabled', was = NULL, hash = NULL, employee_id = :id, open = 1, disabled_at = (
         SELECT c.at FROM call_item i JOIN call c USING (call)
         WHERE i.subject = 'person' AND i.id = person.id ORDER BY i.call DESC LIMIT 1)
       WHERE username_key = :key AND username = :username AND state IN ('managed', 'creating') AND (was = 'disabled' OR 'late' = (
         SELECT iif(c.operation = 'employee.disable' AND i.outcome IN ('unconfirmed', 'doubt', 'reopened'), 'late', '')
         FROM call_item i JOIN call c USING (call)
         WHERE i.subject = 'person' AND i.id = person.id ORDER BY i.call DESC LIMIT 1))
       RETURNING id`,
    )
    .all(account);
  for (const row of late) {
    const named = { subject: 'person', id: text(row, 'id') } as const;
    clearFailure(db, 'person', named.id);
    noteShown(db, named, 'disable');
  }
}

/** Calls an account of ours as the service spells it, also if the spelling has changed. */
function respell(db: Database, row: Row): void {
  const old = 'WHERE username_key = :key AND username <> :username';
  db.sql(`DELETE FROM employee ${old} AND id = :id`).run(row);
  db.sql(`UPDATE person SET username = :username, open = 1 ${old} AND employee_id = :id`).run(row);
}
