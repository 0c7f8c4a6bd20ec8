import { ServiceError } from '../domain/errors.ts';
import type { Employees } from '../domain/service.ts';
import { inParallel } from '../lib/in-parallel.ts';
import { AnswerLengths } from './answer-lengths.ts';
import type { AnyCall } from './call.ts';
import type { Client } from './client.ts';
import { employeeById } from './employees.ts';
import { endpoint } from './endpoint.ts';
import { GatheredEmployees } from './gathered-employees.ts';
import type { KnownLimits } from './list-limits.ts';
import type { Scope } from './scope.ts';
import { isAddressTooLong, isRefusal, type Refusal } from './too-much.ts';
import { askable, batchUsernames, bytesOfNames, type Room } from './username-batches.ts';
import { decodeEmployee, type ListedEmployee } from './wire/decode-employee.ts';
import { listOf } from './wire/decode.ts';

/** New usernames refused one after the other, no question taken in between: not they are refused, but all is. */
const MOST_REFUSED = 5;

const decodeList = (result: unknown): readonly ListedEmployee[] =>
  listOf(result, 'the list of employees').map(decodeEmployee);

export interface SearchParts {
  readonly client: Client;
  readonly scope: Scope;
  readonly limits: KnownLimits;
  readonly concurrency: number;
}

/** One search under way. */
interface Search {
  readonly gathered: GatheredEmployees;
  readonly signal: AbortSignal;
  /** Bytes of the address without usernames. */
  readonly base: number;
}

/** Interface, Employees: "List employees" by username. How long a question and an answer may be is found out. */
export class EmployeeSearch {
  readonly #parts: SearchParts;
  readonly #lengths = new AnswerLengths();
  /** Usernames that were refused alone: they do not spoil other questions again. */
  readonly #spoilers = new Set<string>();
  #refusedInARow = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** See {@link Service.employees}. */
  async byUsernames(usernames: readonly string[], signal: AbortSignal): Promise<Employees> {
    const names = askable(usernames);
    const gathered = new GatheredEmployees(names);
    if (names.length === 0) return gathered.answer();
    const base = await this.#parts.client.urlBytes(this.#question([], true));
    const search = { gathered, signal, base };
    const isAlone = (name: string): boolean => name.includes(',') || this.#spoilers.has(name);
    const alone = names.filter(isAlone).map((name) => [name]);
    const together = names.filter((name) => !isAlone(name));
    for (const questions of [this.#batches(together, search), alone])
      await inParallel(questions, this.#parts.concurrency, (question) => this.#inParts(question, search));
    return this.#placed(search);
  }

  /** Whoever is listed without a word about positions is asked for alone: it is not said that there are none. */
  async #placed({ gathered, signal }: Search): Promise<Employees> {
    const { found, unclear } = gathered.answer();
    const placed = new Map(found);
    const unplaced = [...found].filter(([, employee]) => gathered.isUnplaced(employee));
    await inParallel(unplaced, this.#parts.concurrency, async ([username, employee]) => {
      const own = await employeeById(this.#parts, employee.id, signal);
      if (own !== null) placed.set(username, { ...employee, positions: own.positions });
    });
    return { found: placed, unclear };
  }

  /** While it waited for its turn, others may have found out that it is too long. */
  async #inParts(names: readonly string[], search: Search): Promise<void> {
    for (const part of this.#batches(names, search)) await this.#whole(part, search);
  }

  #batches(names: readonly string[], { base }: Search): Iterable<readonly string[]> {
    const { limits } = this.#parts;
    const room = (): Room => ({ bytes: limits.urlBytes - base, names: limits.namesPerQuery });
    return batchUsernames(names, room);
  }

  /** Asks again for those whom an answer lacks, as long as it finds some of them: it may have been cut short. */
  async #whole(names: readonly string[], search: Search): Promise<void> {
    let before = 0;
    for (let left = names; ;) {
      const answer = await this.#ask(left, search);
      if (answer instanceof Error) return this.#halve(left, answer, search);
      const missing = left.filter((name) => !search.gathered.has(name));
      const isMore = missing.length < left.length;
      if (before > 0) this.#lengths.askedAgain(before, isMore);
      if (missing.length === 0 || !isMore || !this.#lengths.mayBeCut(answer.length)) return;
      before = answer.length;
      left = missing;
    }
  }

  /** What is refused whole is asked for in halves. Where all of it passed that way, the question was too long. */
  async #halve(names: readonly string[], refusal: Refusal, search: Search): Promise<void> {
    const [name] = names;
    if (names.length === 1 && name !== undefined) return this.#refusedAlone(name, refusal, search);
    const refusals = search.gathered.refusals;
    const middle = Math.ceil(names.length / 2);
    await this.#inParts(names.slice(0, middle), search);
    await this.#inParts(names.slice(middle), search);
    if (search.gathered.refusals > refusals) return;
    const urlBytes = search.base + bytesOfNames(names.slice(0, middle));
    this.#parts.limits.keepTo(isAddressTooLong(refusal) ? { urlBytes } : { namesPerQuery: middle });
  }

  #refusedAlone(name: string, refusal: Refusal, { gathered }: Search): void {
    if (!this.#spoilers.has(name)) this.#refusedInARow += 1;
    this.#spoilers.add(name);
    gathered.refuse(name, refusal.message);
    if (this.#refusedInARow <= MOST_REFUSED) return;
    throw new ServiceError(`No question for employees is taken. The last: ${refusal.message}`);
  }

  /** Everybody in the answer, or the refusal. */
  async #ask(names: readonly string[], search: Search): Promise<readonly ListedEmployee[] | Refusal> {
    const call = this.#question(names, names.length > 1 || !names.some((name) => name.includes(',')));
    try {
      const listed = await this.#parts.client.call({ ...call, decode: decodeList }, search.signal);
      const { orgCode } = this.#parts.scope;
      const ours = listed.filter((one) => (one.orgCode ?? orgCode) === orgCode);
      search.gathered.add(ours);
      this.#refusedInARow = 0;
      return listed;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  /** A username that holds the separator cannot stand in a list. */
  #question(names: readonly string[], matching: boolean): AnyCall {
    const { orgCode, domainId } = this.#parts.scope;
    const query = names.join(',').toWellFormed();
    return {
      ...endpoint('GET /v1/admin/organizations/{org_code}/employees', { org_code: orgCode }),
      query: { domain_id: domainId, type: 'username', matching: String(matching), query },
    };
  }
}
