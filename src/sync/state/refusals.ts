import type { Operation } from '../../domain/ports/ledger/journal.ts';

/** The service's last words about each operation, and the operations of which it has taken something. */
export class Refusals {
  readonly #words = new Map<Operation, string>();
  readonly #taken = new Set<Operation>();

  refused(operation: Operation, message: string): void {
    this.#words.set(operation, message);
  }

  taken(operation: Operation): void {
    this.#taken.add(operation);
  }

  isTaken(operation: Operation): boolean {
    return this.#taken.has(operation);
  }

  /** Returns the words of the last refusal, and forgets them. */
  hear(operation: Operation): string | null {
    const words = this.#words.get(operation) ?? null;
    this.#words.delete(operation);
    return words;
  }
}
