import type { Employee, Employees } from '../../domain/ports/service.ts';
import { accountNamed } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { ListedEmployee } from '../wire/decode-employee.ts';

/** What several answers of the employees list say about the usernames that were asked for. */
export class GatheredEmployees {
  readonly #names: readonly string[];
  /** Accounts by id and spelling, by the folded usernames that were asked for. */
  readonly #accounts: ReadonlyMap<string, Map<string, Employee>>;
  readonly #spellings = new Set<string>();
  readonly #refused = new Map<string, string>();
  readonly #unplaced = new Set<Employee>();

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#accounts = new Map(names.map((username) => [foldUsername(username), new Map<string, Employee>()]));
  }

  /**
   * Adds records of an answer. Usernames that were not asked for are left out, because an answer may contain
   * any employee.
   */
  add(listed: readonly ListedEmployee[]): void {
    for (const { employee, lacksPositions } of listed) {
      const { username } = employee;
      const accounts = this.#accounts.get(foldUsername(username));
      const key = `${employee.id} ${username}`;
      accounts?.set(key, prefer(accounts.get(key), employee));
      this.#spellings.add(username);
      if (lacksPositions) this.#unplaced.add(employee);
    }
  }

  /** Returns whether the list has said nothing about this employee's positions. */
  isUnplaced(employee: Employee): boolean {
    return this.#unplaced.has(employee);
  }

  /** Notes that the question for this username alone was refused. */
  refuse(username: string, words: string): void {
    this.#refused.set(username, words);
  }

  get refusals(): number {
    return this.#refused.size;
  }

  /** Returns the usernames that no answer has shown in this spelling. */
  lacking(usernames: readonly string[]): readonly string[] {
    return usernames.filter((username) => !this.#spellings.has(username));
  }

  answer(): Employees {
    const found = new Map<string, Employee>();
    const unclear = new Map(this.#refused);
    for (const username of this.#names) {
      const accounts = this.#accounts.get(foldUsername(username));
      const named = accountNamed(username, [...(accounts?.values() ?? [])]);
      if (named.account !== null) found.set(username, named.account);
      if (named.unclear !== null) unclear.set(username, named.unclear);
    }
    for (const username of found.keys()) unclear.delete(username);
    return { found, unclear };
  }
}

/** Returns the record to use for one account: the one that has not left, else the first. */
function prefer(first: Employee | undefined, second: Employee): Employee {
  return first === undefined || (first.locked && !second.locked) ? second : first;
}
