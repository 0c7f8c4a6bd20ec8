import { RefusedError } from '../../domain/errors.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee, Employees } from '../../domain/ports/service.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { findById, orRefusal } from '../ask/find-accounts.ts';
import { lockedByOwnWord } from '../ask/own-word.ts';
import { readOne } from '../ask/read-nodes.ts';
import type { Run } from '../state/world.ts';

/** For how long an account that was gone is not asked for by id again, ms. */
const GONE_MS = 86_400_000;

/** Said of an account that is neither gone nor there: nothing is decided about it in this run. */
const NOT_ASKED = 'not in the list of employees, and could not be asked for by its id';
const UNTIL = 'after a day of this answer, the account counts as gone';

/**
 * Returns the answer, completed with accounts of ours that the employees list does not have, as their own
 * records show them: they are hidden, not gone. An account whose username has changed is noted as renamed.
 */
export async function withHidden(
  run: Run,
  usernames: readonly string[],
  answer: Employees,
): Promise<Employees> {
  const unclear = new Map(answer.unclear);
  // Nearly all are listed: they are passed over at once.
  const accounts = run.ledger.people.accounts(
    usernames,
    (account) => account.isDisabled || !isListed(account, answer),
  );
  const entries = notKnownAsGone(
    run,
    accounts.filter((entry) => !isListed(entry, answer)),
  );
  const shown = await findById(run, entries, (employeeId, { username }) =>
    ownRecord(run, { username, employeeId }, (words) => void unclear.set(username, words)),
  );
  const there = [...answer.found.values(), ...shown.values()].map(({ id }) => id);
  const gone = entries.flatMap(({ username, employeeId }) =>
    employeeId === null || shown.has(username) || unclear.has(username) ? [] : [employeeId],
  );
  run.ledger.vanished.saw({ gone, there, at: run.clock.now() });
  const hidden = new Map<string, Employee>();
  const renamed: RenamedEntry[] = [];
  for (const { id, username, accepted } of entries) {
    const employee = shown.get(username);
    if (employee === undefined) continue;
    unclear.delete(username);
    if (foldUsername(employee.username) === foldUsername(username))
      hidden.set(username, asListed(employee, accepted));
    else renamed.push({ id, employee, isNameThere: answer.found.has(username) });
  }
  await saveRenamed(run, renamed);
  const locked = await stillLocked(run, accounts, answer);
  return { found: new Map([...answer.found, ...hidden, ...locked]), unclear };
}

/**
 * Asks for an account by its id. Returns `null` if it is gone, or if its state is unclear.
 *
 * @param isUnclear called with the reason why its state is unclear
 */
async function ownRecord(
  run: Run,
  { username, employeeId }: { readonly username: string; readonly employeeId: string },
  isUnclear: (words: string) => void,
): Promise<Employee | null> {
  const own = await readOne<Employee | RefusedError | null>(
    run,
    () => orRefusal(run.service.employee(employeeId, run.stop)),
    (reason) => {
      run.unclear.unreadable(username, reason);
      isUnclear(`${NOT_ASKED}: ${reason}`);
      return null;
    },
  );
  if (!(own instanceof RefusedError)) return own;
  if (isTakenForGone(run, employeeId, own)) return null;
  run.unclear.refused(username, own);
  isUnclear(`${NOT_ASKED}: ${own.message}; ${UNTIL}`);
  return null;
}

interface RenamedEntry {
  /** Source id of the person. */
  readonly id: string;
  readonly employee: Employee;
  readonly isNameThere: boolean;
}

/**
 * Saves renamed accounts. When an account was made is taken from the list, as for the account that we knew: list and
 * single record may mean different times.
 */
async function saveRenamed({ service, ledger, stop }: Run, renamed: readonly RenamedEntry[]): Promise<void> {
  if (renamed.length === 0) return;
  const usernames = renamed.map(({ employee }) => employee.username);
  const { found } = await service.employees(usernames, stop);
  for (const { id, employee, isNameThere } of renamed) {
    const listed = found.get(employee.username);
    const created = listed?.id === employee.id ? listed.created : undefined;
    const { username, locked } = employee;
    const account = { id: employee.id, username, locked, ...(created === undefined ? {} : { created }) };
    ledger.view.saveRenamed(id, account, isNameThere);
  }
}

/**
 * Returns the entries to ask for by id. An account that was gone by its own id stays gone until the list has it again:
 * for a day at most, or until a full look.
 */
function notKnownAsGone(run: Run, entries: readonly PersonEntry[]): readonly PersonEntry[] {
  if (run.full || entries.length === 0) return entries;
  const ids = entries.flatMap(({ employeeId }) => employeeId ?? []);
  const until = run.clock.now();
  const gone = run.ledger.vanished.among(ids, { after: until - GONE_MS, until });
  return entries.filter(({ employeeId }) => employeeId === null || !gone.has(employeeId));
}

/**
 * Returns the accounts that rollcall disabled, that the list shows as active, and whose own record shows them
 * as locked. The others that the list shows as active were enabled in the service.
 */
async function stillLocked(
  run: Run,
  accounts: readonly PersonEntry[],
  answer: Employees,
): Promise<ReadonlyMap<string, Employee>> {
  const disabled = accounts.filter(({ state }) => state === 'disabled');
  const active = disabled.flatMap((entry) => {
    const employee = answer.found.get(entry.username);
    return employee !== undefined && !employee.locked && isListed(entry, answer) ? [employee] : [];
  });
  const ids = active.map(({ id }) => id);
  const locked = await lockedByOwnWord(run, ids, run.stop);
  const shown = active.filter(({ id }) => locked.has(id));
  return new Map(shown.map((employee) => [employee.username, { ...employee, locked: true }]));
}

/**
 * Returns whether our account is listed. An account that has the username and another id may belong to
 * another person: ours is then asked for by its own id.
 */
function isListed(
  { username, employeeId }: Pick<PersonEntry, 'username' | 'employeeId'>,
  { found }: Employees,
): boolean {
  return found.get(username)?.id === employeeId;
}

/**
 * Returns whether a refusal counts as "gone". One that is not the answer for an unknown id says nothing about whether
 * the account is there. But if the service gives the same one for a day, that is its answer for an account that is
 * gone.
 */
function isTakenForGone({ ledger, clock }: Run, employeeId: string, refusal: RefusedError): boolean {
  const now = clock.now();
  return ledger.vanished.refusedSince(employeeId, refusal.status, now) <= now - GONE_MS;
}

/**
 * Returns a single record as the list would show it. The single record shows other fields than the list,
 * which is no edit: only place and lock are taken from it.
 */
function asListed(employee: Employee, accepted: Shown | null): Employee {
  if (accepted === null) return employee;
  const known = new Map(accepted.positions.map((position) => [position.orgId, position]));
  const positions = employee.positions.map((position) => known.get(position.orgId) ?? position);
  return { ...employee, fields: accepted.fields, positions };
}
