import type { EmployeeView } from './person-row.ts';
import type { Employee, Employees, LikelyAccount, Organization, User } from '../service.ts';

/** An account as it was read back after a write. */
export interface ReadBackAccount {
  /** Source id of its person. */
  readonly id: string;
  readonly employee: Employee;
}

/** What the service was last seen to hold. */
export interface View {
  organizations(): readonly Organization[];
  /** Saves organizations; `complete`: those that are not among these are no longer there. */
  saveOrganizations(organizations: readonly Organization[], complete: boolean): void;
  /** Adds candidates, with `anew` in place of those before. Returns how many there are. */
  candidates(users: readonly User[], anew?: 'anew'): number;
  /**
   * Stores which users are disabled, after all pages were read. `complete`: people who are not among these
   * are no users.
   */
  saveUsers(complete: boolean): void;
  /** Gathers the usernames to ask the employees list for. Yields between its steps; returns how many they are. */
  prepareToAsk(whom: Asking): Iterator<void, number>;
  usernamesToAsk(query: PageQuery): readonly string[];
  /** Returns a few accounts that most likely are active employees here. */
  likelyEmployees(limit: number): readonly LikelyAccount[];
  /**
   * Saves what the employees list said about `asked`. Those that are neither found nor unclear are no
   * employees here.
   */
  saveEmployees(asked: readonly string[], answer: Employees): void;
  /** Saves accounts of managed people as they were read back. What is shown becomes what is accepted. */
  accept(accounts: readonly ReadBackAccount[]): void;
  /** Returns employees, managed or not, who were last seen on each of these nodes; `locked`: these alone, which are few. */
  seenAt(orgIds: readonly string[], which?: 'locked'): ReadonlyMap<string, readonly EmployeeView[]>;
  /** Returns the employee of this username, by the rule of `accountNamed`. */
  employee(username: string): EmployeeView | null;
  /**
   * Returns whether any employee was last seen with this field, also an empty one, or fewer managed people than `many`
   * had a value of it when they were read back.
   */
  tellsField(field: string, many: number): boolean;
  /**
   * Remembers the people whom this run staged from the source: they are not unmanaged, though they may be
   * blocked or held.
   */
  rememberNotOurs(): void;
  /** Returns the number of employees here that the source does not have. */
  unmanaged(limit: number): { readonly count: number; readonly first: readonly EmployeeView[] };
}

/**
 * Which people to ask for. `decided`: after `People.prepare`, those who are to be decided and were not asked for yet.
 * Otherwise those that the lists select.
 */
export type Asking =
  | 'decided'
  | {
      /** Whether all people are asked for. */
      readonly full: boolean;
      /**
       * Whether the candidates are all users of the domain, and the organization counts as empty: who is neither known to
       * us nor a user is no employee, and is not asked for.
       */
      readonly onlyUsers: boolean;
      /** Set to ask for all of them, whoever was asked for before. */
      readonly anew?: boolean;
    };

/** Keyset paging: asks for what comes after this key. */
export interface PageQuery {
  readonly after: string;
  readonly limit: number;
}
