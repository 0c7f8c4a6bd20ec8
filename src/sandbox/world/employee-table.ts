import { Headcount } from './headcount.ts';
import type { OrganizationTable } from './organization-table.ts';
import { RecordTable } from './record-table.ts';
import type { EmployeeRecord } from './records.ts';
import { UsernameIndex } from './username-index.ts';

export class EmployeeTable extends RecordTable<EmployeeRecord> {
  readonly #byUsername: UsernameIndex;
  readonly everyone: Headcount;
  /** Headcount without locked employees. */
  readonly active: Headcount;

  constructor(organizations: OrganizationTable, caseMatters: () => boolean) {
    super();
    this.#byUsername = new UsernameIndex(caseMatters);
    const lineageOf = (orgId: string): readonly string[] => organizations.lineage(orgId).map(({ id }) => id);
    this.everyone = new Headcount(lineageOf);
    this.active = new Headcount(lineageOf);
  }

  byUsername(username: string): EmployeeRecord | undefined {
    return this.get(this.#byUsername.get(username) ?? '');
  }

  protected override index(record: EmployeeRecord): void {
    this.#byUsername.set(record.username, record.id);
    this.everyone.add(record);
    if (!record.locked) this.active.add(record);
  }

  protected override unindex(record: EmployeeRecord): void {
    this.#byUsername.delete(record.username);
    this.everyone.remove(record.id);
    this.active.remove(record.id);
  }
}
