import type { Employee, Employees } from '../../domain/ports/service.ts';
import { accountNamed } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { ListedEmployee } from '../wire/decode-employee.ts';
import type { AskedBy } from './employee-question.ts';

/** What several answers of the employees list say about the usernames or ids that were asked for. */
export class GatheredEmployees {
  readonly #names: readonly string[];
  readonly #by: AskedBy;
  /** Accounts by id and spelling, by the folded names that were asked for. */
  readonly #accounts: ReadonlyMap<string, Map<string, Employee>>;
  readonly #spellings = new Set<string>();
  readonly #refused = new Map<string, string>();
  readonly #unplaced = new Set<Employee>();

  constructor(names: readonly string[], by: AskedBy) {
    this.#names = names;
    this.#by = by;
    this.#accounts = new Map(names.map((name) => [this.#keyOf(name), new Map<string, Employee>()]));
  }

  /**
   * Adds records of an answer. Those that were not asked for are left out, because an answer may contain
   * any employee.
   */
  add(listed: readonly ListedEmployee[]): void {
    for (const { employee, lacksPositions } of listed) {
      const { id, username } = employee;
      const accounts = this.#accounts.get(this.#keyOf(employee[this.#by]));
      const key = `${id} ${username}`;
      accounts?.set(key, prefer(accounts.get(key), employee));
      this.#spellings.add(employee[this.#by]);
      if (lacksPositions) this.#unplaced.add(employee);
    }
  }

  /** Returns whether the list has said nothing about this employee's positions. */
  isUnplaced(employee: Employee): boolean {
    return this.#unplaced.has(employee);
  }

  /** Notes that the question for this name alone was refused. */
  refuse(name: string, words: string): void {
    this.#refused.set(name, words);
  }

  get refusals(): number {
    return this.#refused.size;
  }

  /** Returns the names that no answer has shown in this spelling. */
  lacking(names: readonly string[]): readonly string[] {
    return names.filter((name) => !this.#spellings.has(name));
  }

  answer(): Employees {
    const found = new Map<string, Employee>();
    const unclear = new Map(this.#refused);
    for (const name of this.#names) {
      const accounts = [...(this.#accounts.get(this.#keyOf(name))?.values() ?? [])];
      const named =
        this.#by === 'id' ? { account: accounts[0], unclear: null } : accountNamed(name, accounts);
      if (named.account) found.set(name, named.account);
      if (named.unclear !== null) unclear.set(name, named.unclear);
    }
    for (const name of found.keys()) unclear.delete(name);
    return { found, unclear };
  }

  #keyOf(name: string): string {
    return this.#by === 'id' ? name : foldUsername(name);
  }
}

/** Returns the record to use for one account: the one that has not left, else the first. */
function prefer(first: Employee | undefined, second: Employee): Employee {
  return first === undefined || (first.locked && !second.locked) ? second : first;
}
