import { foldUsername } from './records.ts';

/** Records by username; whether case tells two of them apart is up to the service (reading `usernameCase`). */
export class UsernameIndex {
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
