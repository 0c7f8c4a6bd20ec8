import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee, Employees, Service } from '../../domain/ports/service.ts';

/** An account as we know it. Without an id it can be asked for by its username alone. */
export type Account = Pick<PersonEntry, 'username' | 'employeeId'>;

/**
 * Finds known accounts by their own ids, whatever the service calls them now, and the others by username. The result is
 * keyed by the username that we know. One that is neither found nor unclear is not there (promise 1).
 */
export async function findAccounts(
  service: Service,
  accounts: readonly Account[],
  signal: AbortSignal,
): Promise<Employees> {
  const known = accounts.flatMap(({ username, employeeId: id }) => (id === null ? [] : [{ id, username }]));
  const others = accounts.flatMap(({ username, employeeId }) => (employeeId === null ? [username] : []));
  const own = await service.accountsById(known, signal);
  const named = await service.employees(others, signal);
  const found = new Map<string, Employee>(named.found);
  const unclear = new Map<string, string>(named.unclear);
  for (const { id, username } of known) {
    const employee = own.found.get(id);
    const reason = own.unclear.get(id);
    if (employee !== undefined) found.set(username, employee);
    if (reason !== undefined) unclear.set(username, reason);
  }
  return { found, unclear };
}
