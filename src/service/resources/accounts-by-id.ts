import { RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Accounts, Employee, KnownAccount, LikelyAccount } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { EmployeeSearch, type SearchDeps } from './employee-search.ts';
import { employeeById } from './employees.ts';

/** How many accounts may be unreadable in one search. With more, the service cannot be read to its end. */
const MOST_UNREADABLE = 5;

interface AccountDeps extends SearchDeps {
  /** Asks for something that every service has: throws if the service is down. */
  readonly requireUp: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Finds accounts by their own ids (interface, Employees: "List employees" with `type` `id`). The interface does not
 * show whether these are ids of employees or of users. If the list brings nobody for employee ids, the accounts are
 * looked for by their usernames. Those that are still missing are asked for one by one ("Get employee"), because
 * lists may leave out locked employees.
 */
export class AccountsById {
  readonly #deps: AccountDeps;
  readonly #byId: EmployeeSearch;
  readonly #byName: EmployeeSearch;
  /** Whether the list takes employee ids; `null`: no answer has shown it yet. */
  #takesIds: boolean | null = null;

  constructor(deps: AccountDeps, byName: EmployeeSearch) {
    this.#deps = deps;
    this.#byId = new EmployeeSearch(deps, 'id');
    this.#byName = byName;
  }

  /** See {@link Service.suppose}. */
  suppose(likely: readonly LikelyAccount[]): void {
    this.#byId.suppose(likely.flatMap(({ id }) => id ?? []));
    this.#byName.suppose(likely.map(({ username }) => username));
  }

  /** See {@link Service.accountsById}. */
  async find(accounts: readonly KnownAccount[], signal: AbortSignal): Promise<Accounts> {
    const found = new Map(await this.#listed(accounts, signal));
    const unclear = new Map<string, string>();
    const missing = accounts.filter(({ id }) => !found.has(id));
    const own = await this.#oneByOne(missing, unclear, signal);
    return { found: new Map([...found, ...(await this.#asListed(own, missing, signal))]), unclear };
  }

  /** Returns the accounts that the list shows with their own ids. */
  async #listed(
    accounts: readonly KnownAccount[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Employee>> {
    const shown =
      this.#takesIds === false ? new Map<string, Employee>() : await this.#withIds(accounts, signal);
    if (shown.size > 0) this.#takesIds = true;
    if (this.#takesIds === true) return shown;
    const { found } = await this.#byName.find(
      accounts.map(({ username }) => username),
      signal,
    );
    const own = accounts.flatMap(({ id, username }) => {
      const employee = found.get(username);
      return employee?.id === id ? [[id, employee] as const] : [];
    });
    // The list shows them by their usernames, and showed nobody for their ids.
    if (own.length > 0) this.#takesIds = false;
    return new Map(own);
  }

  async #withIds(
    accounts: readonly KnownAccount[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Employee>> {
    const ids = accounts.map(({ id }) => id);
    try {
      return (await this.#byId.find(ids, signal)).found;
    } catch (error) {
      // The service may refuse every question for ids. If it is down, the next question says so.
      if (!(error instanceof ServiceError) || this.#takesIds === true) throw error;
      return new Map();
    }
  }

  /** Asks for the records of accounts. `unclear` gets the reasons why nothing can be said about some. */
  async #oneByOne(
    accounts: readonly KnownAccount[],
    unclear: Map<string, string>,
    signal: AbortSignal,
  ): Promise<readonly Employee[]> {
    const found: Employee[] = [];
    let unreadable = 0;
    await inParallel(accounts, this.#deps.concurrency, async ({ id, username }) => {
      try {
        const own = await employeeById(this.#deps, id, signal);
        if (own !== null) found.push({ ...own, username: own.username || username, isUnlisted: true });
      } catch (error) {
        if (!(error instanceof RefusedError)) {
          unreadable += 1;
          if (!(error instanceof ServiceError) || unreadable > MOST_UNREADABLE) throw error;
          await this.#deps.requireUp(signal);
        }
        unclear.set(id, error.message);
      }
    });
    return found;
  }

  /** Returns accounts that go under another username than we know as the list shows them, if it does. */
  async #asListed(
    own: readonly Employee[],
    known: readonly KnownAccount[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Employee>> {
    const knownAs = new Map(known.map(({ id, username }) => [id, username]));
    const renamed = own.filter(({ id, username }) => knownAs.get(id) !== username);
    const { found } = await this.#byName.find(
      renamed.map(({ username }) => username),
      signal,
    );
    return new Map(
      own.map((employee) => {
        const listed = found.get(employee.username);
        return [employee.id, listed?.id === employee.id ? listed : employee];
      }),
    );
  }
}
