import type { Known, ShownAccount } from '../../domain/records/next.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { ReadBackAccount } from '../../domain/ports/ledger/view.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { printable, shortReason } from '../../domain/text/printable.ts';
import type { Database } from '../database/database.ts';
import { markOne } from '../database/marks.ts';
import { noteSeen, noteShown } from '../history/note-done.ts';
import { clearFailure } from '../journal/settle.ts';
import { knownWhere, note, noteEvent } from '../records/known-people.ts';

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

const SAVE = `INSERT OR REPLACE INTO employee (username, username_key, id, locked, shown, created)
  VALUES (:username, :key, :id, :locked, :shown, :created)`;

function accountOf(db: Database, employee: Employee): ShownAccount {
  const { username, id, locked, created = null } = employee;
  const shown = employee.isUnlisted === true ? asListed(db, employee) : shownOf(employee);
  return { username, id, locked, created, shown: JSON.stringify(shown) };
}

/**
 * Returns an account's own record as the list would show it. It shows other fields than the list, which is no edit: only
 * places and lock are taken from it.
 */
function asListed(db: Database, employee: Employee): Shown {
  const shown = shownOf(employee);
  const known = 'SELECT accepted FROM person WHERE employee_id = ? AND accepted NOTNULL';
  const row = db.sql<{ readonly accepted: string }>(known).get(employee.id);
  if (row === undefined) return shown;
  const accepted = JSON.parse(row.accepted) as Shown;
  const places = new Map(accepted.positions.map((position) => [position.orgId, position]));
  return { ...accepted, positions: shown.positions.map((one) => places.get(one.orgId) ?? one) };
}

/** Remembers an employee, and opens the managed person whose accepted state it no longer matches. */
export const saveEmployee = (db: Database, employee: Employee): void => save(db, accountOf(db, employee));

function save(db: Database, account: ShownAccount): void {
  const { username, id } = account;
  const key = foldUsername(username);
  const row = { ...account, locked: Number(account.locked), key };
  if (!account.locked && db.sql(IS_SAVED).get(row) !== undefined) return;
  const people = knownWhere(db, 'username_key = :key OR employee_id = :id', { key, id });
  const isRenamed = people.map((known) => {
    const isTaken = people.some((other) => other !== known && isCalled(other, key));
    return noteShownTo(db, known, account, isTaken);
  });
  const old = 'DELETE FROM employee WHERE id = :id AND username <> :username';
  db.sql(isRenamed.includes(true) ? old : `${old} AND username_key = :key`).run({ id, username, key });
  db.sql(SAVE).run(row);
}

const isCalled = ({ state, username }: Known, key: string): boolean =>
  state !== 'removed' && foldUsername(username) === key;

/** Returns whether the person's account has another username now. */
function noteShownTo(db: Database, known: Known, account: ShownAccount, isTaken: boolean): boolean {
  const after = note(db, known.id, known, { is: 'shown', account, isTaken });
  if (isTaken && after !== known && foldUsername(known.username) !== foldUsername(account.username))
    noteUnclear(db, known.username, takenReason(account));
  if (after?.state === 'disabled' && (known.state === 'managed' || known.state === 'creating')) {
    clearFailure(db, 'person', known.id);
    noteShown(db, { subject: 'person', id: known.id }, 'disable');
  }
  return after !== null && after.username !== known.username;
}

const takenReason = ({ username }: ShownAccount): string =>
  `the service calls its account ${printable(username)} now, which is the username of another known person: ` +
  'rename one of the two accounts there';

/** Remembers why a username is unclear, and opens its person: nothing is decided before it is clear. */
export function noteUnclear(db: Database, username: string, reason: string): void {
  db.sql(markOne('unclear')).run(username, shortReason(reason));
  lookAgain(db, username);
}

/** Opens the people who have this username. */
export function lookAgain(db: Database, username: string, which = ''): void {
  const named = `username_key = :key AND username = :username ${which}`;
  for (const known of knownWhere(db, named, { key: foldUsername(username), username }))
    note(db, known.id, known, { is: 'unclear' });
}

/** Most ledgers have neither: then they are not looked for by person. */
const IS_ANY = `SELECT EXISTS (SELECT 1 FROM failure WHERE subject = 'person') AS failure,
  EXISTS (SELECT 1 FROM history WHERE subject = 'person' AND unseen = 1) AS unseen`;

export function accept(db: Database, accounts: readonly ReadBackAccount[]): void {
  const any = db.sql<{ readonly failure: number; readonly unseen: number }>(IS_ANY).get();
  for (const { id, employee } of accounts) {
    const account = accountOf(db, employee);
    save(db, account);
    noteEvent(db, id, { is: 'readBack', account });
    if (any?.failure === 1) clearFailure(db, 'person', id);
    if (any?.unseen === 1) noteSeen(db, id);
  }
}
