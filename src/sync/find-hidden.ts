import { ServiceError } from '../domain/errors.ts';
import type { PersonEntry } from '../domain/ledger.ts';
import type { Employee } from '../domain/service.ts';
import type { Shown } from '../domain/shown.ts';
import { findById } from './find-accounts.ts';
import { readOne } from './read-one.ts';
import type { Run } from './world.ts';

/**
 * Accounts of ours that the employees list was asked for and does not have, as their own records show them: hidden, not
 * gone. One that has another username by now is noted as renamed.
 */
export async function findHidden(
  run: Run,
  usernames: readonly string[],
  listed: readonly Employee[],
): Promise<readonly Employee[]> {
  const here = new Set(listed.map(({ username }) => username));
  const entries = run.ledger.people.accounts(usernames.filter((username) => !here.has(username)));
  const found = await findById(run, entries, (employeeId, account) =>
    readOne(
      run,
      () => run.service.employee(employeeId, run.stop),
      (reason) => leaveAsItIs(run, account, reason),
    ),
  );
  const hidden: Employee[] = [];
  for (const { id, username, accepted } of entries) {
    const employee = found.get(username);
    if (employee === undefined) continue;
    if (employee.username === username) hidden.push(asListed(employee, accepted));
    else run.ledger.view.saveRenamed(id, employee);
  }
  return hidden;
}

/** More than a few such accounts are no bad records, but a service that cannot be read to its end. */
const MOST_UNCLEAR = 5;

/** Neither gone nor there: nothing is decided about it in this run. */
function leaveAsItIs(run: Run, { id, username }: PersonEntry, words: string): null {
  if (run.unclear.size === MOST_UNCLEAR) throw new ServiceError(words);
  const reason = `not in the list of employees, and could not be asked for by its id: ${words}`;
  run.unclear.set(username, { id, reason });
  return null;
}

/** A single record shows other fields than the list does, which is nobody's edit: of those it tells place and lock. */
function asListed(employee: Employee, accepted: Shown | null): Employee {
  if (accepted === null) return employee;
  const known = new Map(accepted.positions.map((position) => [position.orgId, position]));
  const positions = employee.positions.map((position) => known.get(position.orgId) ?? position);
  return { ...employee, fields: accepted.fields, positions };
}
