import type { OrganizationTable } from './organization-table.ts';
import { RecordTable, type Stored } from './record-table.ts';
import { foldUsername, type EmployeeRecord } from './records.ts';

/** Records that are found by their username, too. */
export class NamedTable<R extends Stored & { readonly username: string }> extends RecordTable<R> {
  readonly #byUsername: UsernameIndex;

  constructor(caseMatters: () => boolean) {
    super();
    this.#byUsername = new UsernameIndex(caseMatters);
  }

  byUsername(username: string): R | undefined {
    return this.get(this.#byUsername.get(username) ?? '');
  }

  protected override index(record: R): void {
    this.#byUsername.set(record.username, record.id);
  }

  protected override unindex(record: R): void {
    this.#byUsername.delete(record.username);
  }
}

export class EmployeeTable extends NamedTable<EmployeeRecord> {
  readonly everyone: Headcount;
  /** Headcount without locked employees. */
  readonly active: Headcount;

  constructor(organizations: OrganizationTable, caseMatters: () => boolean) {
    super(caseMatters);
    const lineageOf = (orgId: string): readonly string[] => organizations.lineage(orgId).map(({ id }) => id);
    this.everyone = new Headcount(lineageOf);
    this.active = new Headcount(lineageOf);
  }

  protected override index(record: EmployeeRecord): void {
    super.index(record);
    this.everyone.add(record);
    if (!record.locked) this.active.add(record);
  }

  protected override unindex(record: EmployeeRecord): void {
    super.unindex(record);
    this.everyone.remove(record.id);
    this.active.remove(record.id);
  }
}

interface CountedEmployees {
  readonly orgIds: readonly string[];
  readonly lineageIds: readonly string[];
}

/** Counts who sits on a node and below it, kept up to date so that no page has to count all employees. */
class Headcount {
  readonly #lineageOf: (orgId: string) => readonly string[];
  readonly #members = new Map<string, Set<string>>();
  readonly #totals = new Map<string, number>();
  /**
   * Nodes counted for each employee, so that exactly those are subtracted even if the tree has changed since.
   */
  readonly #counted = new Map<string, CountedEmployees>();

  constructor(lineageOf: (orgId: string) => readonly string[]) {
    this.#lineageOf = lineageOf;
  }

  members(orgId: string): ReadonlySet<string> {
    return this.#members.get(orgId) ?? new Set();
  }

  /** Returns the number of people on the node and below it, each counted once. */
  total(orgId: string): number {
    return this.#totals.get(orgId) ?? 0;
  }

  add(employee: EmployeeRecord): void {
    const orgIds = employee.positions.map((position) => position.orgId);
    const lineageIds = [...new Set(orgIds.flatMap((orgId) => this.#lineageOf(orgId)))];
    for (const orgId of orgIds) {
      this.#members.set(orgId, (this.#members.get(orgId) ?? new Set()).add(employee.id));
    }
    for (const orgId of lineageIds) this.#totals.set(orgId, this.total(orgId) + 1);
    this.#counted.set(employee.id, { orgIds, lineageIds });
  }

  remove(employeeId: string): void {
    const counted = this.#counted.get(employeeId);
    for (const orgId of counted?.orgIds ?? []) this.#members.get(orgId)?.delete(employeeId);
    for (const orgId of counted?.lineageIds ?? []) this.#totals.set(orgId, this.total(orgId) - 1);
    this.#counted.delete(employeeId);
  }
}

/** Records by username; whether case tells two of them apart is up to the service (reading `usernameCase`). */
class UsernameIndex {
  readonly #ids = new Map<string, Map<string, string>>();
  readonly #caseMatters: () => boolean;

  constructor(caseMatters: () => boolean) {
    this.#caseMatters = caseMatters;
  }

  get(username: string): string | undefined {
    const spellings = this.#ids.get(foldUsername(username));
    const [first] = spellings?.values() ?? [];
    return spellings?.get(username) ?? (this.#caseMatters() ? undefined : first);
  }

  set(username: string, id: string): void {
    const key = foldUsername(username);
    this.#ids.set(key, (this.#ids.get(key) ?? new Map<string, string>()).set(username, id));
  }

  delete(username: string): void {
    this.#ids.get(foldUsername(username))?.delete(username);
  }
}
