import { foldUsername } from '../../domain/text/fold.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { text, type Database } from '../database/database.ts';
import { noteShown } from '../history/note-done.ts';
import { clearFailure } from '../journal/settle.ts';

/**
 * Whether the view already has the active employee like this, and no employee with another spelling. The
 * ledger must have no other person under the name than one who was accepted like this. Then nothing has to be
 * written, as for nearly all employees.
 */
const IS_SAVED = `
  SELECT 1 FROM employee e
  WHERE e.username = :username AND e.id = :id AND e.locked = 0 AND e.shown = :shown AND e.created IS :created
    AND NOT EXISTS (SELECT 1 FROM employee o WHERE o.username_key = e.username_key AND o.username <> e.username)
    AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = e.username_key AND NOT coalesce(
      p.state = 'managed' AND p.username = e.username AND p.employee_id = e.id AND p.accepted = e.shown
        AND (p.created IS NOT NULL OR e.created IS NULL), 0))`;

function isSaved(db: Database, { username, id, locked, created }: Employee, shown: string): boolean {
  if (locked) return false;
  return db.sql(IS_SAVED).get({ username, id, shown, created: created ?? null }) !== undefined;
}

/** Remembers an employee, and opens the managed person whose accepted state it no longer matches. */
export function saveEmployee(db: Database, employee: Employee): void {
  const shown = JSON.stringify(shownOf(employee));
  if (isSaved(db, employee, shown)) return;
  const { username, id } = employee;
  const key = foldUsername(username);
  const locked = Number(employee.locked);
  respell(db, { username, key, id });
  takeBack(db, employee);
  if (employee.locked) takeLateLock(db, employee);
  const created = employee.created ?? null;
  db.sql('INSERT OR REPLACE INTO employee VALUES (?, ?, ?, ?, ?, ?)').run(
    username,
    key,
    id,
    locked,
    shown,
    created,
  );
  db.sql(
    'UPDATE person SET created = :created WHERE username_key = :key AND employee_id = :id AND created IS NULL',
  ).run({ created, key, id });
  db.sql(
    `UPDATE person SET open = 1 WHERE username_key = :key AND username = :username AND (
       (state = 'managed' AND accepted IS NOT NULL AND (accepted <> :shown OR :locked = 1 OR employee_id <> :id))
       OR (state = 'disabled' AND :locked = 0))`,
  ).run({ key, username, shown, locked, id });
}

/**
 * Takes an account back that is there again. One that had vanished is what it was before. One that we removed and that
 * shows its own id came back with a backup of the service: it is still ours.
 */
function takeBack(db: Database, { username, id }: Employee): void {
  db.sql(
    `UPDATE person SET state = coalesce(was, 'managed'), was = NULL, open = 1
     WHERE username_key = :key AND username = :username AND state = 'removed'
       AND iif(was IS NULL, employee_id, coalesce(employee_id, :id)) = :id`,
  ).run({ key: foldUsername(username), username, id });
}

/** Takes over a disable of ours that the service shows only now. */
function takeLateLock(db: Database, { username, id }: Employee): void {
  const late = db
    .sql(
      `UPDATE person SET state = 'disabled', employee_id = :id, open = 1, disabled_at = (
         SELECT c.at FROM call_item i JOIN call c USING (call)
         WHERE i.subject = 'person' AND i.id = person.id ORDER BY i.call DESC LIMIT 1)
       WHERE username_key = :key AND username = :username AND state IN ('managed', 'creating') AND 'late' = (
         SELECT iif(c.operation = 'employee.disable' AND i.outcome IN ('unconfirmed', 'doubt', 'reopened'), 'late', '')
         FROM call_item i JOIN call c USING (call)
         WHERE i.subject = 'person' AND i.id = person.id ORDER BY i.call DESC LIMIT 1)
       RETURNING id`,
    )
    .all({ id, username, key: foldUsername(username) });
  for (const row of late) {
    const named = { subject: 'person', id: text(row, 'id') } as const;
    clearFailure(db, 'person', named.id);
    noteShown(db, named, 'disable');
  }
}

interface Spelling {
  readonly username: string;
  readonly key: string;
  readonly id: string;
}

/** Calls an account of ours as the service spells it, also if the spelling has changed. */
function respell(db: Database, spelling: Spelling): void {
  const old = 'WHERE username_key = :key AND username <> :username';
  db.sql(`DELETE FROM employee ${old} AND id = :id`).run({ ...spelling });
  db.sql(`UPDATE person SET username = :username, open = 1 ${old} AND employee_id = :id`).run({
    ...spelling,
  });
}
