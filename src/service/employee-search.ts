import type { Employee } from '../domain/service.ts';
import { inParallel } from '../lib/in-parallel.ts';
import type { AnyCall } from './call.ts';
import type { Client } from './client.ts';
import { endpoint } from './endpoint.ts';
import type { Scope } from './scope.ts';
import { batchUsernames, type UsernameBatch } from './username-batches.ts';
import { decodeEmployee, type ListedEmployee } from './wire/decode-employee.ts';
import { listOf } from './wire/decode.ts';

/** Servers and proxies take at least this; below 4,000, so that a renewed token may be somewhat longer. */
const LONGEST_URL_BYTES = 3900;
/** No service gives fewer records than this at most; an answer that long may be cut short, see below. */
const SMALLEST_CAP = 10;

const decodeList = (result: unknown): readonly ListedEmployee[] =>
  listOf(result, 'the list of employees').map(decodeEmployee);

/**
 * Interface, Employees: "List employees" by username. Whether the list is cut short at some length is not shown. An
 * answer that lacks some of the names and is longer than any that is known to be whole is therefore checked: the
 * lacking names are asked for once more, and if one of them turns up, later questions are kept that short.
 */
export class EmployeeSearch {
  readonly #client: Client;
  readonly #scope: Scope;
  readonly #concurrency: number;
  #longestWhole = SMALLEST_CAP - 1;
  #cap = Number.POSITIVE_INFINITY;

  constructor(client: Client, scope: Scope, concurrency: number) {
    this.#client = client;
    this.#scope = scope;
    this.#concurrency = concurrency;
  }

  /** See {@link Service.employees}. */
  async byUsernames(usernames: readonly string[], signal: AbortSignal): Promise<readonly Employee[]> {
    if (usernames.length === 0) return [];
    const budget = LONGEST_URL_BYTES - (await this.#client.urlBytes(this.#question('', true)));
    const batches = batchUsernames(usernames, budget, this.#cap);
    const found: Employee[] = [];
    await inParallel(batches, this.#concurrency, async (batch) => {
      found.push(...(await this.#whole(batch, signal)));
    });
    return found;
  }

  async #whole(batch: UsernameBatch, signal: AbortSignal): Promise<readonly Employee[]> {
    const { found, length } = await this.#ask(batch, signal);
    const missing = batch.usernames.filter((username) => !found.has(username));
    if (!batch.matching || missing.length === 0 || length <= this.#longestWhole) return [...found.values()];
    const more = await this.#whole({ usernames: missing, matching: true }, signal);
    if (more.length === 0) this.#longestWhole = Math.max(this.#longestWhole, length);
    else this.#cap = Math.min(this.#cap, length);
    return [...found.values(), ...more];
  }

  async #ask(batch: UsernameBatch, signal: AbortSignal): Promise<Found> {
    const call = this.#question(batch.usernames.join(','), batch.matching);
    const listed = await this.#client.call({ ...call, decode: decodeList }, signal);
    const asked = new Set(batch.usernames);
    const ours = listed.filter(({ orgCode }) => (orgCode ?? this.#scope.orgCode) === this.#scope.orgCode);
    const found = new Map<string, Employee>();
    for (const { employee } of ours) {
      if (asked.has(employee.username))
        found.set(employee.username, prefer(found.get(employee.username), employee));
    }
    return { found, length: listed.length };
  }

  #question(query: string, matching: boolean): AnyCall {
    const { orgCode, domainId } = this.#scope;
    return {
      ...endpoint('GET /v1/admin/organizations/{org_code}/employees', { org_code: orgCode }),
      query: { domain_id: domainId, type: 'username', matching: String(matching), query },
    };
  }
}

interface Found {
  readonly found: ReadonlyMap<string, Employee>;
  /** Records in the answer, whoever they are. */
  readonly length: number;
}

/** Several records of one username: the one who has not left, else the first. */
function prefer(first: Employee | undefined, second: Employee): Employee {
  return first === undefined || (first.locked && !second.locked) ? second : first;
}
