import type { Employee } from '../domain/service.ts';
import type { Shown } from '../domain/shown.ts';
import { findById } from './find-accounts.ts';
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
  const found = await findById(run, entries, run.stop);
  const hidden: Employee[] = [];
  for (const { id, username, accepted } of entries) {
    const employee = found.get(username);
    if (employee === undefined) continue;
    if (employee.username === username) hidden.push(asListed(employee, accepted));
    else run.ledger.view.saveRenamed(id, employee);
  }
  return hidden;
}

/** A single record shows other fields than the list does, which is nobody's edit: of those it tells place and lock. */
function asListed(employee: Employee, accepted: Shown | null): Employee {
  if (accepted === null) return employee;
  const known = new Map(accepted.positions.map((position) => [position.orgId, position]));
  const positions = employee.positions.map((position) => known.get(position.orgId) ?? position);
  return { ...employee, fields: accepted.fields, positions };
}
