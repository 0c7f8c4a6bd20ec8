import { foldUsername } from '../../domain/text/fold.ts';
import type { ReadBackAccount } from '../../domain/ports/ledger/view.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { printable, shortReason } from '../../domain/text/printable.ts';
import { flag, json, text, type Database } from '../database/database.ts';
import { markOne } from '../database/marks.ts';
import { noteSeen, noteShown } from '../history/note-done.ts';
import { clearFailure } from '../journal/settle.ts';

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
        AND (p.created IS NOT NULL OR e.created IS NULL), 0))
    AND NOT EXISTS (SELECT 1 FROM person r WHERE r.employee_id = :id AND r.username <> :username)`;

type Row = ReturnType<typeof rowOf>;

/** Returns the row of an account, with the folded username as `key`. */
function rowOf(db: Database, employee: Employee) {
  const { username, id, locked, created = null } = employee;
  const shown = JSON.stringify(employee.isUnlisted === true ? asListed(db, employee) : shownOf(employee));
  return { username, key: foldUsername(username), id, locked: Number(locked), shown, created };
}

/**
 * Returns an account's own record as the list would show it. It shows other fields than the list, which is no edit: only
 * places and lock are taken from it.
 */
function asListed(db: Database, employee: Employee): Shown {
  const shown = shownOf(employee);
  const known = db
    .sql('SELECT accepted FROM person WHERE employee_id = ? AND accepted NOTNULL')
    .get(employee.id);
  if (known === undefined) return shown;
  const accepted = json<Shown>(known, 'accepted');
  const places = new Map(accepted.positions.map((position) => [position.orgId, position]));
  return { ...accepted, positions: shown.positions.map((one) => places.get(one.orgId) ?? one) };
}

function isSaved(db: Database, row: Row): boolean {
  return row.locked === 0 && db.sql(IS_SAVED).get(row) !== undefined;
}

/** Remembers an employee, and opens the managed person whose accepted state it no longer matches. */
export function saveEmployee(db: Database, employee: Employee): void {
  const row = rowOf(db, employee);
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
const ACCEPT = `UPDATE person SET employee_id = :id, created = :created, accepted = :shown, read_back = :readBack,
  print = iif(print = :run, (SELECT print FROM staging.person d WHERE d.id = :person), print), open = 0,
  username = iif(username_key = :key, :username, username) WHERE id = :person`;

/** @param run id of the run that goes on */
export function accept(db: Database, accounts: readonly ReadBackAccount[], run: string): void {
  const any = db.sql(IS_ANY).get() ?? {};
  for (const { id: person, employee, readBack } of accounts) {
    const row = { person, readBack, run, ...rowOf(db, employee) };
    if (!isSaved(db, row)) save(db, row);
    db.sql(ACCEPT).run(row);
    if (flag(any, 'failure')) clearFailure(db, 'person', person);
    if (flag(any, 'unseen')) noteSeen(db, person);
  }
}

/** Takes an account back that counted as gone, or that we removed, and that shows its own id again: it is still ours. */
function takeBack(db: Database, row: Row): void {
  db.sql(
    `UPDATE person SET state = iif(disabled_at IS NULL, 'managed', 'disabled'), open = 1
     WHERE username_key = :key AND username = :username AND state = 'removed' AND employee_id = :id`,
  ).run(row);
}

/** Takes over a lock of ours that the service shows only now. */
function takeLateLock(db: Database, account: Row): void {
  const late = db
    .sql(
      `UPDATE person SET state = 'disabled', hash = NULL, employee_id = :id, open = 1
       WHERE username_key = :key AND username = :username AND state IN ('managed', 'creating')
         AND disabled_at IS NOT NULL AND coalesce(employee_id, :id) = :id
       RETURNING id`,
    )
    .all(account);
  for (const row of late) {
    const named = { subject: 'person', id: text(row, 'id') } as const;
    clearFailure(db, 'person', named.id);
    noteShown(db, named, 'disable');
  }
}

/**
 * Of a known person `p`: the account was made at another time than theirs, so it is another one. A service that was
 * restored gives ids again. A minute's difference is allowed: the service's clock may have been set back since.
 */
const IS_MADE_OTHERWISE = 'coalesce(abs(:created - p.created) > 60000, 0)';
const OF_ANOTHER = `FROM person o WHERE o.username_key = :key AND o.rowid <> p.rowid AND o.state <> 'removed'`;

/** Known accounts that the service calls otherwise now. */
const RENAMED = `p.employee_id = :id AND p.username_key <> :key AND p.state <> 'removed' AND NOT ${IS_MADE_OTHERWISE}`;
const TAKEN = `SELECT p.username FROM person p WHERE ${RENAMED} AND EXISTS (SELECT 1 ${OF_ANOTHER})`;

/**
 * Calls a known account as the service calls it now: the username may have been changed there. The one that the source
 * has is kept. If another known person has the new username, it is unclear whose is whose.
 */
function respell(db: Database, row: Row): void {
  for (const taken of db.sql(TAKEN).all(row)) noteUnclear(db, text(taken, 'username'), takenReason(row));
  const renamed = db
    .sql(
      `UPDATE person AS p SET username = :username, username_key = :key, open = 1,
         source_name = iif(coalesce(source_key, username_key) = :key, NULL, coalesce(source_name, username)),
         source_key = nullif(coalesce(source_key, username_key), :key)
       WHERE (employee_id = :id AND username_key = :key AND username <> :username)
         OR (${RENAMED} AND NOT EXISTS (SELECT 1 ${OF_ANOTHER}))`,
    )
    .changes(row);
  const old = 'DELETE FROM employee WHERE id = :id AND username <> :username';
  db.sql(renamed > 0 ? old : `${old} AND username_key = :key`).run(row);
}

const takenReason = ({ username }: Row): string =>
  `the service calls its account ${printable(username)} now, which is the username of another known person: ` +
  'rename one of the two accounts there';

/** Remembers why a username is unclear, and opens its person: nothing is decided before it is clear. */
export function noteUnclear(db: Database, username: string, reason: string): void {
  db.sql(markOne('unclear')).run(username, shortReason(reason));
  db.sql('UPDATE person SET open = 1 WHERE username_key = ? AND username = ?').run(
    foldUsername(username),
    username,
  );
}
