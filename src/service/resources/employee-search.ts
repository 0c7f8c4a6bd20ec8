import { ServiceError } from '../../domain/errors.ts';
import type { Employees } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { isAddressTooLong, type Refusal } from '../calls/verdict.ts';
import {
  askable,
  askForEmployees,
  batchUsernames,
  bytesOfNames,
  questionFor,
  shows,
  type AskedBy,
  type ListedEmployees,
  type Room,
} from './employee-question.ts';
import { GatheredEmployees } from './gathered-employees.ts';
import { AnswerLengths, Witnesses, type IsLastShown } from './witnesses.ts';
import type { KnownLimits, QuestionSize } from './pages.ts';
import { employeeById, type EmployeesOf } from './employees.ts';
import { serviceProblem } from '../wire/problems.ts';

/**
 * Number of new usernames refused in a row, with no question taken in between, after which the service counts
 * as refusing every question.
 */
const MOST_REFUSED = 5;

export interface SearchDeps extends EmployeesOf {
  readonly limits: KnownLimits;
  readonly concurrency: number;
}

/** One search under way. */
interface Search {
  readonly gathered: GatheredEmployees;
  readonly signal: AbortSignal;
  /** Questions for which nothing shows whether the service looked at all names. */
  readonly unwitnessed: (readonly string[])[];
}

interface RefusedQuestion {
  readonly names: readonly string[];
  /** The same names with the witness that went along. */
  readonly question: readonly string[];
  readonly refusal: Refusal;
}

/**
 * Searches employees by username or by id (interface, Employees: "List employees"). It finds out how long a
 * question and an answer may be.
 */
export class EmployeeSearch {
  readonly #deps: SearchDeps;
  readonly #by: AskedBy;
  readonly #lengths = new AnswerLengths();
  readonly #witnesses: Witnesses;
  /** Names that were refused alone: they do not spoil other questions again. */
  readonly #spoilers = new Set<string>();
  /**
   * Longest question of an earlier search for which nothing shows whether the service looked at all names.
   */
  #unwitnessed: readonly string[] = [];
  #refusedInARow = 0;
  /** Bytes of the URL without usernames, of the last search. */
  #base = 0;

  constructor(deps: SearchDeps, by: AskedBy) {
    this.#deps = deps;
    this.#by = by;
    this.#witnesses = new Witnesses(by);
  }

  /** See {@link Service.suppose}. */
  suppose(names: readonly string[]): void {
    this.#witnesses.suppose(askable(names).filter((name) => !this.#spoilers.has(name)));
  }

  /** See {@link Service.wholeQuestions}. */
  wholeQuestions(usernames: readonly string[]): number {
    let [whole, last] = [0, 0];
    for (const { length } of this.#batches(usernames)) [whole, last] = [whole + last, length];
    return whole === 0 ? usernames.length : whole;
  }

  /** Returns who is there, by the names that were asked for. See {@link Service.employees}. */
  async find(asked: readonly string[], signal: AbortSignal): Promise<Employees> {
    const names = askable(asked);
    const gathered = new GatheredEmployees(names, this.#by);
    if (names.length === 0) return gathered.answer();
    this.#base = await this.#deps.client.urlBytes(questionFor(this.#deps.scope, this.#by, []));
    const search: Search = { gathered, signal, unwitnessed: [] };
    const isAlone = (name: string): boolean => name.includes(',') || this.#spoilers.has(name);
    const alone = names.filter(isAlone).map((name) => [name]);
    const together = names.filter((name) => !isAlone(name));
    for (const questions of [this.#batches(together), alone])
      await inParallel(questions, this.#deps.concurrency, (question) => this.#askBatches(question, search));
    await this.#askWitnessed(search);
    return this.#placed(search);
  }

  /**
   * Asks again for usernames that were asked for before any witness was known, if nothing has shown since
   * that questions of this length are read whole.
   */
  async #askWitnessed(search: Search): Promise<void> {
    const open = [...search.unwitnessed.splice(0), this.#unwitnessed];
    const questions = open.filter(({ length }) => !this.#witnesses.reaches(length));
    this.#unwitnessed = longest(questions);
    if (this.#witnesses.current === null) return;
    this.#unwitnessed = [];
    await inParallel(questions, this.#deps.concurrency, async (question) => {
      const missing = search.gathered.lacking(question);
      await this.#askBatches(missing, search);
    });
  }

  /**
   * Asks one by one for employees that are listed without anything about positions: that does not mean they
   * have none.
   */
  async #placed({ gathered, signal }: Search): Promise<Employees> {
    const { found, unclear } = gathered.answer();
    const placed = new Map(found);
    const unplaced = [...found].filter(([, employee]) => gathered.isUnplaced(employee));
    await inParallel(unplaced, this.#deps.concurrency, async ([username, employee]) => {
      const single = await employeeById(this.#deps, employee.id, signal);
      if (single !== null) placed.set(username, { ...employee, positions: single.positions });
    });
    return { found: placed, unclear };
  }

  /**
   * Asks in parts that fit now: while the question waited for its turn, others may have found out that it is
   * too long.
   */
  async #askBatches(names: readonly string[], search: Search): Promise<void> {
    for (const part of this.#batches(names)) await this.#askBatch(part, search);
  }

  /** Splits names into questions, with room for one more name, the witness. */
  #batches(names: readonly string[]): Iterable<readonly string[]> {
    const { limits } = this.#deps;
    const room = (): Room => {
      const { current } = this.#witnesses;
      const bytes = limits.urlBytes - this.#base - (current === null ? 0 : bytesOfNames([current]));
      return { bytes, names: Math.max(1, limits.namesPerQuery - 1) };
    };
    return batchUsernames(names, room);
  }

  /**
   * Asks for all names at once. The witness goes along with this first question only, because a short answer
   * may show no other employee.
   */
  async #askBatch(names: readonly string[], search: Search): Promise<void> {
    const question = this.#witnesses.along(names);
    const size = { names: question.length, urlBytes: this.#base + bytesOfNames(question) };
    const answer = this.#deps.limits.isTrial(size)
      ? await this.#tryLonger(question, size, search)
      : await this.#ask(question, search);
    if (answer === 'too long') return this.#askBatches(names, search);
    if (answer instanceof Error) return this.#refused({ names, question, refusal: answer }, search);
    const missing = search.gathered.lacking(names);
    if (missing.length === 0) return this.#deps.limits.accept(size);
    const reach = await this.#witnesses.reachOf(question, answer, this.#isLastShown(search));
    if (reach === 'short') return this.#shorten(question, answer, search);
    if (reach === 'unknown') search.unwitnessed.push(names);
    else this.#deps.limits.accept(size);
    const isMore = missing.length < names.length || question.length > names.length;
    if (isMore) await this.#askMissing(missing, answer.length, search);
  }

  /**
   * Asks a longer question than any before. If it fails in any way, also with a connection that breaks, such a
   * question is too long: what a shorter one says of the service counts.
   */
  async #tryLonger(
    question: readonly string[],
    size: QuestionSize,
    search: Search,
  ): Promise<ListedEmployees | 'too long'> {
    try {
      const answer = await this.#ask(question, search);
      if (!(answer instanceof Error)) return answer;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
    this.#deps.limits.triedTooMuch(size);
    return 'too long';
  }

  /**
   * Asks again for usernames that an answer lacks, as long as it finds some of them: the answer may have been
   * cut short.
   */
  async #askMissing(missing: readonly string[], length: number, search: Search): Promise<void> {
    let before = length;
    for (let pending = missing; this.#lengths.mayBeCut(before);) {
      const answer = await this.#ask(pending, search);
      if (answer instanceof Error) return this.#halve(pending, answer, search);
      const lacking = search.gathered.lacking(pending);
      this.#lengths.retried(before, lacking.length < pending.length);
      if (lacking.length === 0 || lacking.length === pending.length) return;
      before = answer.length;
      pending = lacking;
    }
  }

  /** Returns whether the last name of a question is in its answer. */
  #isLastShown(search: Search): IsLastShown {
    return async (question) => {
      const answer = await this.#ask(question, search);
      return !(answer instanceof Error) && shows(answer, this.#by, question.at(-1));
    };
  }

  /**
   * Shortens questions: the service looked at all names up to the last one that was found. If that is
   * little, half of the names is tried.
   */
  async #shorten(question: readonly string[], answer: ListedEmployees, search: Search): Promise<void> {
    const { limits } = this.#deps;
    const reached = question.findLastIndex((name) => shows(answer, this.#by, name)) + 1;
    // While this question waited, others may have found that out.
    if (limits.namesPerQuery >= question.length)
      limits.keepTo({ namesPerQuery: Math.max(Math.ceil(question.length / 2), reached) });
    await this.#askBatches(search.gathered.lacking(question), search);
  }

  async #refused({ names, question, refusal }: RefusedQuestion, search: Search): Promise<void> {
    const along = question.length > names.length ? question.at(-1) : undefined;
    if (along !== undefined && !(await this.#witnesses.isSound(along, this.#isLastShown(search))))
      return this.#askBatch(names, search);
    return this.#halve(names, refusal, search);
  }

  /**
   * Asks in halves for names that were refused together. If all of them passed that way, the question was
   * too long.
   */
  async #halve(names: readonly string[], refusal: Refusal, search: Search): Promise<void> {
    const [name] = names;
    if (names.length === 1 && name !== undefined) return this.#refusedAlone(name, refusal, search);
    const refusals = search.gathered.refusals;
    const middle = Math.ceil(names.length / 2);
    await this.#askBatches(names.slice(0, middle), search);
    await this.#askBatches(names.slice(middle), search);
    if (search.gathered.refusals > refusals) return;
    const passed = this.#witnesses.along(names.slice(0, middle));
    const urlBytes = this.#base + bytesOfNames(passed);
    this.#deps.limits.keepTo(isAddressTooLong(refusal) ? { urlBytes } : { namesPerQuery: passed.length });
  }

  #refusedAlone(name: string, refusal: Refusal, { gathered }: Search): void {
    if (!this.#spoilers.has(name)) this.#refusedInARow += 1;
    this.#spoilers.add(name);
    gathered.refuse(name, refusal.message);
    if (this.#refusedInARow <= MOST_REFUSED) return;
    throw serviceProblem('service-refuses-questions', { reason: refusal.message });
  }

  async #ask(names: readonly string[], { gathered, signal }: Search): Promise<ListedEmployees | Refusal> {
    const { scope } = this.#deps;
    const answer = await askForEmployees(this.#deps, questionFor(scope, this.#by, names), signal);
    if (answer instanceof Error) return answer;
    const ours = answer.filter(({ orgCode }) => (orgCode ?? scope.orgCode) === scope.orgCode);
    gathered.add(ours);
    const asked = new Set(names);
    for (const { employee } of ours) if (asked.has(employee[this.#by])) this.#witnesses.see(employee);
    this.#refusedInARow = 0;
    return answer;
  }
}

function longest(questions: readonly (readonly string[])[]): readonly string[] {
  return questions.toSorted((one, other) => other.length - one.length)[0] ?? [];
}
