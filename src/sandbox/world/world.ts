import { EmployeeTable } from './employee-table.ts';
import { MediaTable } from './media-table.ts';
import { OrganizationTable } from './organization-table.ts';
import { UserTable } from './user-table.ts';

/**
 * Ids put or removed, by kind; the world shows which of the two. Organizations come first: positions need
 * them.
 */
export interface Changes {
  readonly organizations: readonly string[];
  readonly users: readonly string[];
  readonly employees: readonly string[];
  readonly medias: readonly string[];
}

export function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every((ids: readonly string[]) => ids.length === 0);
}

/** Everything the service knows. */
export class World {
  readonly organizations = new OrganizationTable();
  readonly users: UserTable;
  readonly employees: EmployeeTable;
  readonly medias = new MediaTable();
  /** Returns whether usernames that differ only in case are two. */
  readonly caseMatters: () => boolean;

  constructor(caseMatters: () => boolean) {
    this.caseMatters = caseMatters;
    this.users = new UserTable(caseMatters);
    this.employees = new EmployeeTable(this.organizations, caseMatters);
  }

  /** Returns what changed since the last call. */
  takeChanges(): Changes {
    return {
      organizations: this.organizations.takeChanged(),
      users: this.users.takeChanged(),
      employees: this.employees.takeChanged(),
      medias: this.medias.takeChanged(),
    };
  }

  /** Makes the named records the same as in the other world. */
  follow(other: World, changes: Changes = other.everything()): void {
    this.organizations.follow(other.organizations, changes.organizations);
    this.users.follow(other.users, changes.users);
    this.employees.follow(other.employees, changes.employees);
    this.medias.follow(other.medias, changes.medias);
    this.takeChanges();
  }

  /** Takes over exactly what the other world holds, in its order; all of it counts as changed. */
  become(other: World): void {
    const [mine, theirs] = [this.everything(), other.everything()];
    for (const kind of ['employees', 'users', 'organizations', 'medias'] as const)
      for (const id of mine[kind]) this[kind].remove(id);
    this.organizations.follow(other.organizations, theirs.organizations);
    this.users.follow(other.users, theirs.users);
    this.employees.follow(other.employees, theirs.employees);
    this.medias.follow(other.medias, theirs.medias);
  }

  everything(): Changes {
    return {
      organizations: this.organizations.ids(),
      users: this.users.ids(),
      employees: this.employees.ids(),
      medias: this.medias.ids(),
    };
  }
}
