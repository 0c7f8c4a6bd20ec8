import type { Employee } from '../../domain/ports/service.ts';
import { shows, type AskedBy, type ListedEmployees } from './employee-question.ts';

/** Number of names kept in reserve, in case one is no longer there. */
const MOST = 5;

/**
 * How far the service read a question. `short`: it did not look at the last names. `unknown`: rollcall knows
 * no employee whose name could show it.
 */
type Reach = 'whole' | 'short' | 'unknown';

/** Asks a question, and returns whether its last name is in the answer. */
export type IsLastShown = (question: readonly string[]) => Promise<boolean>;

/**
 * Usernames or ids of employees here. One of them is the last name of each question for several names. The interface
 * does not show whether a service looks at all names, and names that it does not look at would count as
 * missing.
 */
export class Witnesses {
  readonly #by: AskedBy;
  #names: readonly string[] = [];
  readonly #seen = new Set<string>();
  #longest = 1;

  constructor(by: AskedBy) {
    this.#by = by;
  }

  /** Takes likely names, which no answer of this process has shown yet. */
  suppose(names: readonly string[]): void {
    const fit = names.filter((name) => isFit(name));
    const seen = this.#names.filter((name) => this.#seen.has(name));
    this.#names = [...new Set([...seen.slice(0, 1), ...fit])].slice(0, MOST);
  }

  get current(): string | null {
    return this.#names[0] ?? null;
  }

  /** Notes an employee who was found when asked for; a locked one may be left out of lists. */
  see(employee: Employee): void {
    const name = employee[this.#by];
    if (!employee.locked && isFit(name) && this.#names.length === 0) this.#names = [name];
    if (this.#names.includes(name)) this.#seen.add(name);
  }

  /**
   * Returns the question for these names: for several, its last name is that of a known employee, if there is
   * one.
   */
  along(names: readonly string[]): readonly string[] {
    const { current } = this;
    if (names.length < 2 || current === null) return names;
    return [...names.filter((name) => name !== current), current];
  }

  /**
   * Returns whether the service looked at all names of a question: its last one is shown, or is no longer
   * here.
   */
  async reachOf(
    question: readonly string[],
    answer: ListedEmployees,
    isLastShown: IsLastShown,
  ): Promise<Reach> {
    const last = question.at(-1);
    if (question.length > 1 && !shows(answer, this.#by, last)) {
      if (last === undefined || last !== this.current) return 'unknown';
      if (!(await isLastShown([last]))) return this.#drop(last);
      // Ask the same question again, to rule out chance.
      if (!(await isLastShown(question))) return 'short';
    }
    this.#longest = Math.max(this.#longest, question.length);
    return 'whole';
  }

  /**
   * Returns whether a question was refused for another reason than this witness; a name that is not here is
   * no longer used.
   */
  async isSound(name: string, isLastShown: IsLastShown): Promise<boolean> {
    if (this.#seen.has(name) || (await isLastShown([name]))) return true;
    this.#drop(name);
    return false;
  }

  /** Returns whether a question of so many names is known to be read to its end. */
  reaches(names: number): boolean {
    return names <= this.#longest;
  }

  #drop(name: string): Reach {
    this.#names = this.#names.filter((other) => other !== name);
    this.#seen.delete(name);
    return 'unknown';
  }
}

/** Returns whether a name can stand in a list of names. */
function isFit(name: string): boolean {
  return name !== '' && !name.includes(',');
}

/** Smallest number of records at which a service may cut an answer. */
const SMALLEST_CUT = 1;
/**
 * Number of vain tries that are enough; a single one may be chance, since there may be exactly as many
 * records as the service gives.
 */
const ENOUGH = 3;

/**
 * Finds out at which length the employees list is cut short, which the interface does not show. An answer
 * that is shorter than another one is whole. One as long as the longest may be cut, until asking for what it
 * lacks was often enough in vain.
 */
export class AnswerLengths {
  #longest = SMALLEST_CUT;
  #complete = 0;
  #inVain = 0;

  /** Returns whether an answer of so many records may lack an employee. */
  mayBeCut(length: number): boolean {
    if (length > this.#longest) {
      this.#longest = length;
      this.#inVain = 0;
    }
    return length >= this.#longest && length > this.#complete;
  }

  /**
   * Notes that an answer of so many records was asked again. `isMore`: an employee that it lacked was found
   * then.
   */
  retried(length: number, isMore: boolean): void {
    this.#inVain = isMore ? 0 : this.#inVain + 1;
    if (this.#inVain >= ENOUGH) this.#complete = Math.max(this.#complete, length);
  }
}
