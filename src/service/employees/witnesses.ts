import type { Employee } from '../../domain/ports/service.ts';
import { shows, type Answer } from './employee-question.ts';

/** Kept in reserve, should one not be there any more. */
const MOST = 5;

/** `short`: the last names of a question were not looked at. `unknown`: nobody is known who could tell. */
export type Reach = 'whole' | 'short' | 'unknown';

/** Asks, and tells whether the last name of the question is in the answer. */
export type IsLastShown = (question: readonly string[]) => Promise<boolean>;

/**
 * Usernames of employees here. One goes along as the last name of each question for several: whether a service looks at
 * all the names that it is asked for is not shown, and who is not looked at would count as nobody.
 */
export class Witnesses {
  #names: readonly string[] = [];
  readonly #seen = new Set<string>();
  #longest = 1;

  /** Likely ones, which no answer of this process has shown yet. */
  suppose(usernames: readonly string[]): void {
    const fit = usernames.filter((username) => isFit(username));
    const seen = this.#names.filter((name) => this.#seen.has(name));
    this.#names = [...new Set([...seen.slice(0, 1), ...fit])].slice(0, MOST);
  }

  get current(): string | null {
    return this.#names[0] ?? null;
  }

  /** Was found when asked for; who is locked may be left out of lists. */
  see({ username, locked }: Employee): void {
    if (!locked && isFit(username) && this.#names.length === 0) this.#names = [username];
    if (this.#names.includes(username)) this.#seen.add(username);
  }

  /** The question for these names: of several the last is one who is known to be here, where anybody is. */
  along(names: readonly string[]): readonly string[] {
    const { current } = this;
    if (names.length < 2 || current === null) return names;
    return [...names.filter((name) => name !== current), current];
  }

  /** Returns whether all names of a question were looked at: its last one is shown, or is not here any more. */
  async reachOf(question: readonly string[], answer: Answer, isLastShown: IsLastShown): Promise<Reach> {
    const last = question.at(-1);
    if (question.length > 1 && !shows(answer, last)) {
      if (last === undefined || last !== this.current) return 'unknown';
      if (!(await isLastShown([last]))) return this.#drop(last);
      // Not by chance: the same question once more.
      if (!(await isLastShown(question))) return 'short';
    }
    this.#longest = Math.max(this.#longest, question.length);
    return 'whole';
  }

  /** Returns whether a question is not refused for this one who went along; one who is not here goes along no more. */
  async isSound(name: string, isLastShown: IsLastShown): Promise<boolean> {
    if (this.#seen.has(name) || (await isLastShown([name]))) return true;
    this.#drop(name);
    return false;
  }

  /** Returns whether a question of so many names is known to be looked at to its end. */
  reaches(names: number): boolean {
    return names <= this.#longest;
  }

  #drop(name: string): Reach {
    this.#names = this.#names.filter((other) => other !== name);
    this.#seen.delete(name);
    return 'unknown';
  }
}

/** Can stand in a list of names. */
function isFit(username: string): boolean {
  return username !== '' && !username.includes(',');
}
