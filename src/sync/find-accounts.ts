import type { Employee } from '../domain/service.ts';
import { eachBounded } from '../lib/each-bounded.ts';
import type { Run } from './world.ts';

/** An account as we know it; without an id it can be asked for by its username alone. */
export interface Account {
  readonly username: string;
  readonly employeeId: string | null;
}

export type Found = ReadonlyMap<string, Employee>;

/**
 * By username, and who is not listed by id: lists may leave out locked employees, and nothing counts as gone before it
 * was asked for by its own id (promise 1). Keyed by the username that was asked for; a renamed one shows another.
 */
export async function findAccounts(
  run: Run,
  accounts: readonly Account[],
  signal: AbortSignal,
): Promise<Found> {
  if (accounts.length === 0) return new Map();
  const listed = await run.service.employees(
    accounts.map(({ username }) => username),
    signal,
  );
  const found = new Map(listed.map((employee) => [employee.username, employee]));
  const missing = accounts.filter(({ username }) => !found.has(username));
  return new Map([...found, ...(await findById(run, missing, signal))]);
}

/** One call for each of them. */
export async function findById(run: Run, accounts: readonly Account[], signal: AbortSignal): Promise<Found> {
  const found = new Map<string, Employee>();
  await eachBounded(accounts, run.limits.concurrency, async ({ username, employeeId }) => {
    const employee = employeeId === null ? null : await run.service.employee(employeeId, signal);
    if (employee === null) return;
    found.set(username, employee.username === '' ? { ...employee, username } : employee);
  });
  return found;
}
