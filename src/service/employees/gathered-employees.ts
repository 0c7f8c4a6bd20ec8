import { accountNamed } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Employee, Employees } from '../../domain/ports/service.ts';
import type { ListedEmployee } from '../wire/decode-employee.ts';

/** What several answers of the employees list say of the usernames that were asked for. */
export class GatheredEmployees {
  readonly #asked: readonly string[];
  /** Accounts by id and spelling, by the folded usernames that were asked for. */
  readonly #accounts: ReadonlyMap<string, Map<string, Employee>>;
  readonly #spellings = new Set<string>();
  readonly #refused = new Map<string, string>();
  readonly #unplaced = new Set<Employee>();

  constructor(asked: readonly string[]) {
    this.#asked = asked;
    this.#accounts = new Map(asked.map((username) => [foldUsername(username), new Map<string, Employee>()]));
  }

  /** Others than those who were asked for are left out: an answer may hold anybody. */
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

  /** Returns whether the list has told nothing of this one's positions. */
  isUnplaced(employee: Employee): boolean {
    return this.#unplaced.has(employee);
  }

  /** The question for this one alone was refused. */
  refuse(username: string, words: string): void {
    this.#refused.set(username, words);
  }

  get refusals(): number {
    return this.#refused.size;
  }

  /** Returns those of whom no answer has told, spelled like this. */
  lacking(usernames: readonly string[]): readonly string[] {
    return usernames.filter((username) => !this.#spellings.has(username));
  }

  answer(): Employees {
    const found = new Map<string, Employee>();
    const unclear = new Map(this.#refused);
    for (const username of this.#asked) {
      const accounts = this.#accounts.get(foldUsername(username));
      const named = accountNamed(username, [...(accounts?.values() ?? [])]);
      if (named.account !== null) found.set(username, named.account);
      if (named.unclear !== null) unclear.set(username, named.unclear);
    }
    for (const username of found.keys()) unclear.delete(username);
    return { found, unclear };
  }
}

/** Several records of one account: the one that has not left, else the first. */
function prefer(first: Employee | undefined, second: Employee): Employee {
  return first === undefined || (first.locked && !second.locked) ? second : first;
}
