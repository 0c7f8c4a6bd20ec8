import { RecordTable } from './record-table.ts';
import type { UserRecord } from './records.ts';
import { UsernameIndex } from './username-index.ts';

export class UserTable extends RecordTable<UserRecord> {
  readonly #byUsername: UsernameIndex;

  constructor(caseMatters: () => boolean) {
    super();
    this.#byUsername = new UsernameIndex(caseMatters);
  }

  byUsername(username: string): UserRecord | undefined {
    return this.get(this.#byUsername.get(username) ?? '');
  }

  protected override index(record: UserRecord): void {
    this.#byUsername.set(record.username, record.id);
  }

  protected override unindex(record: UserRecord): void {
    this.#byUsername.delete(record.username);
  }
}
