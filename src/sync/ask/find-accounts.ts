import { RefusedError } from '../../domain/errors.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import type { Run } from '../state/world.ts';

/** An account as we know it. Without an id it can be asked for by its username alone. */
export type Account = Pick<PersonEntry, 'username' | 'employeeId'>;

export type AccountsByUsername = ReadonlyMap<string, Employee>;

/**
 * Finds accounts by username, and those that are not listed by id: lists may leave out locked employees, and nothing
 * counts as gone before it was asked for by its own id (promise 1). The result is keyed by the username that was asked
 * for; a renamed account shows another one.
 */
export async function findAccounts(
  run: Run,
  accounts: readonly Account[],
  signal: AbortSignal,
): Promise<AccountsByUsername> {
  if (accounts.length === 0) return new Map();
  const usernames = accounts.map(({ username }) => username);
  const listed = (await run.service.employees(usernames, signal)).found;
  const found = new Map<string, Employee>();
  for (const account of accounts) {
    const employee = listed.get(account.username);
    if (employee !== undefined && mayBe(account, employee)) found.set(account.username, employee);
  }
  const missing = accounts.filter(({ username }) => !found.has(username));
  const byId = await findById(run, missing, async (id) => {
    const own = await orRefusal(run.service.employee(id, signal));
    return own instanceof RefusedError ? null : own;
  });
  return new Map([...found, ...byId]);
}

/** Returns the answer, or the refusal in its place. */
export async function orRefusal(asked: Promise<Employee | null>): Promise<Employee | RefusedError | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/** Returns whether the employee may be the account that we know: one with another spelling and another id is not. */
export function mayBe({ username, employeeId }: Account, employee: Employee): boolean {
  return employee.username === username || employeeId === null || employeeId === employee.id;
}

/** Finds accounts by id, one call for each. An account for which `ask` returns `null` is gone. */
export async function findById<A extends Account>(
  run: Run,
  accounts: readonly A[],
  ask: (employeeId: string, account: A) => Promise<Employee | null>,
): Promise<AccountsByUsername> {
  const found = new Map<string, Employee>();
  await inParallel(accounts, run.limits.concurrency, async (account) => {
    const { username, employeeId } = account;
    const employee = employeeId === null ? null : await ask(employeeId, account);
    if (employee === null) return;
    found.set(username, employee.username === '' ? { ...employee, username } : employee);
  });
  return found;
}
