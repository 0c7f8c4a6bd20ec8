import { RefusedError } from '../../domain/errors.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee, Employees } from '../../domain/ports/service.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { findById } from '../ask/find-accounts.ts';
import { lockedByOwnWord } from '../ask/own-word.ts';
import { readOne } from '../ask/read-one.ts';
import type { Run } from '../state/world.ts';

/** How long who was gone is not asked for by id again, ms. */
const GONE_MS = 86_400_000;

/** Neither gone nor there: nothing is decided about the account in this run. */
const NOT_ASKED = 'not in the list of employees, and could not be asked for by its id';
const UNTIL = 'where it says so for a day, the account counts as gone';

/**
 * The answer, and in it accounts of ours that the employees list was asked for and does not have, as their own records
 * show them: hidden, not gone. One that has another username by now is noted as renamed.
 */
export async function withHidden(
  run: Run,
  usernames: readonly string[],
  answer: Employees,
): Promise<Employees> {
  const unclear = new Map(answer.unclear);
  const entries = notKnownAsGone(
    run,
    run.ledger.people.accounts(usernames).filter((entry) => !isListed(entry, answer)),
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
  const locked = await stillLocked(run, usernames, answer);
  return { found: new Map([...answer.found, ...hidden, ...locked]), unclear };
}

/**
 * Asks for an account by its id; `null`: it is gone, or nothing can be said of it.
 *
 * @param isUnclear is told why nothing can be said
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
  /** Source id. */
  readonly id: string;
  readonly employee: Employee;
  readonly isNameThere: boolean;
}

/** The list tells when each was made, as it told of the account that we knew: the two records may mean other times. */
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
 * Who was gone by their own id stays gone until the list has them again: a day at most, or until a full look.
 */
function notKnownAsGone(run: Run, entries: readonly PersonEntry[]): readonly PersonEntry[] {
  if (run.full || entries.length === 0) return entries;
  const ids = entries.flatMap(({ employeeId }) => employeeId ?? []);
  const until = run.clock.now();
  const gone = run.ledger.vanished.among(ids, { after: until - GONE_MS, until });
  return entries.filter(({ employeeId }) => employeeId === null || !gone.has(employeeId));
}

/** Accounts that we have disabled and that the list shows as active: enabled by somebody, or the list never tells. */
async function stillLocked(
  run: Run,
  usernames: readonly string[],
  answer: Employees,
): Promise<ReadonlyMap<string, Employee>> {
  const disabled = run.ledger.people.accounts(usernames).filter(({ state }) => state === 'disabled');
  const active = disabled.flatMap((entry) => {
    const employee = answer.found.get(entry.username);
    return employee !== undefined && !employee.locked && isListed(entry, answer) ? [employee] : [];
  });
  const ids = active.map(({ id }) => id);
  const locked = await lockedByOwnWord(run, ids, run.stop);
  const shown = active.filter(({ id }) => locked.has(id));
  return new Map(shown.map((employee) => [employee.username, { ...employee, locked: true }]));
}

/** An account that has the username and another id may be somebody else's by now: ours is asked for by its own id. */
function isListed({ username, employeeId }: PersonEntry, { found }: Employees): boolean {
  return found.get(username)?.id === employeeId;
}

async function orRefusal(asked: Promise<Employee | null>): Promise<Employee | RefusedError | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/**
 * A refusal that says something else than of an id that nobody has is no word about whether the account is there; where
 * the service stays with it for a day, it is its word for one that is gone.
 */
function isTakenForGone({ ledger, clock }: Run, employeeId: string, refusal: RefusedError): boolean {
  const now = clock.now();
  return ledger.vanished.refusedSince(employeeId, refusal.status, now) <= now - GONE_MS;
}

/** A single record shows other fields than the list does, which is nobody's edit: of those it tells place and lock. */
function asListed(employee: Employee, accepted: Shown | null): Employee {
  if (accepted === null) return employee;
  const known = new Map(accepted.positions.map((position) => [position.orgId, position]));
  const positions = employee.positions.map((position) => known.get(position.orgId) ?? position);
  return { ...employee, fields: accepted.fields, positions };
}
