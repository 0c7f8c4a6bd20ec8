/** Something in one evaluation that goes beyond what an expression may use; see {@link Budget}. */
export class BudgetProblem extends Error {}

const MAX_STEPS = 100_000;

/** Length of the longest text that an expression may make or keep in a variable. */
export const MAX_TEXT = 100_000;

/**
 * What one evaluation may use. CEL ends by itself, but `all.x.map(a, all.x.map(b, …))` takes as many steps as
 * the product of its lists, and texts that are joined to themselves double with each step. It counts steps
 * rather than time: a record that fails does so on every machine.
 */
export class Budget {
  #left = MAX_STEPS;
  #problem: BudgetProblem | null = null;

  begin(): void {
    this.#left = MAX_STEPS;
    this.#problem = null;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      const most = MAX_STEPS.toLocaleString('en');
      this.#fail(`takes more than ${most} steps: nest fewer lists in each other, or shorten them`);
    }
  }

  /** Returns the value where it is no longer than may be kept. */
  sized<T>(value: T): T {
    if (typeof value === 'string') this.requireShort(value.length);
    if (Array.isArray(value)) this.spend(value.length);
    return value;
  }

  requireShort(length: number): void {
    if (length > MAX_TEXT) {
      const most = MAX_TEXT.toLocaleString('en');
      this.#fail(`makes a text of more than ${most} characters`);
    }
  }

  /** Throws where the evaluation went too far, also where `||`, `exists` and the like have swallowed that. */
  end(): void {
    if (this.#problem !== null) throw this.#problem;
  }

  #fail(reason: string): never {
    this.#problem ??= new BudgetProblem(reason);
    throw this.#problem;
  }
}
