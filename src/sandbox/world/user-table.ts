import { RecordTable } from './record-table.ts';
import { foldUsername, type UserRecord } from './records.ts';

export class UserTable extends RecordTable<UserRecord> {
  readonly #byUsername = new Map<string, string>();

  byUsername(username: string): UserRecord | undefined {
    return this.get(this.#byUsername.get(foldUsername(username)) ?? '');
  }

  protected override index(record: UserRecord): void {
    this.#byUsername.set(foldUsername(record.username), record.id);
  }

  protected override unindex(record: UserRecord): void {
    this.#byUsername.delete(foldUsername(record.username));
  }
}
