import type { EmployeeRecord } from './records.ts';

interface Counted {
  readonly orgIds: readonly string[];
  readonly lineageIds: readonly string[];
}

/** Counts who sits on a node and below it, kept up to date so that no page has to count all employees. */
export class Headcount {
  readonly #lineageOf: (orgId: string) => readonly string[];
  readonly #members = new Map<string, Set<string>>();
  readonly #totals = new Map<string, number>();
  /**
   * Nodes counted for each employee, so that exactly those are subtracted even if the tree has changed since.
   */
  readonly #counted = new Map<string, Counted>();

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
