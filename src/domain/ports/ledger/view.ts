import type { Employee, Employees, Organization, User } from '../service.ts';
import type { EmployeeView } from './person-row.ts';
import type { PageQuery } from './queries.ts';

/** What the service was last seen to hold. */
export interface View {
  organizations(): readonly Organization[];
  /** Upserts; `complete`: what is not among these is no longer there. */
  saveOrganizations(organizations: readonly Organization[], complete: boolean): void;
  beginCandidates(): void;
  candidates(users: readonly User[]): void;
  candidateCount(): number;
  /** Remembers, after all pages, which users are disabled; `complete`: who is not among these is no user. */
  saveUsers(complete: boolean): void;
  /** Gathers the usernames to ask the employees list for; how many they are. */
  prepareToAsk(full: boolean): number;
  /**
   * Gathers, after `people.prepare`, those who are to be decided and were not asked for in this run; returns how many
   * they are.
   */
  prepareToAskDecided(): number;
  usernamesToAsk(query: PageQuery): readonly string[];
  /** Usernames of a few who most likely are active employees here. */
  likelyEmployees(limit: number): readonly string[];
  /** What the employees list said of `asked`: who is neither found nor unclear is no employee here. */
  saveEmployees(asked: readonly string[], answer: Employees): void;
  /**
   * Notes for this run that the account of a person, by source id, has another username in the service than we know.
   *
   * @param isNameThere another account has the username that we know
   */
  saveRenamed(
    id: string,
    account: Pick<Employee, 'id' | 'username' | 'locked' | 'created'>,
    isNameThere: boolean,
  ): void;
  /** Locked employees, anybody's, who were last seen on each of these nodes. */
  lockedAt(orgIds: readonly string[]): ReadonlyMap<string, readonly EmployeeView[]>;
  /** The employee of this username, by the rule of `accountNamed`. */
  employee(username: string): EmployeeView | null;
  /** Whom the source has, from what this run has staged: they are not unmanaged, though they may be blocked or held. */
  rememberNotOurs(): void;
  /** Employees here whom the source does not have. */
  unmanagedCount(): number;
  unmanaged(limit: number): readonly EmployeeView[];
}
