import { RefusedError } from '../../domain/errors.ts';
import type {
  Employee,
  EmployeeBody,
  EmployeeModification,
  Glance,
  ItemOutcome,
  Page,
  User,
} from '../../domain/ports/service.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import { endpoint, type Endpoint, type Scope } from '../calls/call.ts';
import type { Client, Reply } from '../calls/client.ts';
import { EMPTY_ANSWER, isEmptyAnswer, type AbsenceCodes } from './absence-codes.ts';
import { decodePage, glanceAt, pages, type PagedCall, type PageReader } from './pages.ts';
import { decodeEmployeeResult } from '../wire/decode-employee.ts';
import { decodeImport, idOf, objectOf, shownBoolean, textOrNull, type ImportMaps } from '../wire/decode.ts';
import { encodeEmployeeModification, encodeEmployees, secretsIn } from '../wire/encode-body.ts';
import { REFUSALS, serviceProblem } from '../wire/problems.ts';

export interface EmployeesOf {
  readonly client: Client;
  readonly scope: Scope;
  readonly absence: AbsenceCodes;
}

const decodeAnswer = (
  result: unknown,
): { readonly employee: Employee | null; readonly isEmpty: boolean } => ({
  employee: decodeEmployeeResult(result),
  isEmpty: isEmptyAnswer(result),
});

/**
 * Gets one employee (interface, Employees: Get employee). See {@link Service.employee}. Throws a RefusedError
 * that does not clearly say that there is none.
 */
export async function employeeById(
  { absence }: Pick<EmployeesOf, 'absence'>,
  id: string,
  signal: AbortSignal,
): Promise<Employee | null> {
  const answer = await absence.ask(id, decodeAnswer, signal);
  if (answer === null) return null;
  const { employee, isEmpty } = answer;
  if (isEmpty && !(await absence.means(EMPTY_ANSWER, id, signal)))
    throw new RefusedError(REFUSALS['service-says-nothing'], EMPTY_ANSWER, {
      problem: 'service-says-nothing',
    });
  if (employee === null || employee.id === id) return employee;
  throw serviceProblem('service-other-record', { kind: 'employee', found: employee.id, asked: id });
}

/** Imports employees (interface, Import employees). Returns outcomes in the order of the bodies. */
export async function importEmployees(
  { client, scope }: EmployeesOf,
  bodies: readonly EmployeeBody[],
  signal: AbortSignal,
): Promise<readonly ItemOutcome[]> {
  const at = endpoint(OPERATIONS.importEmployees, { code: scope.orgCode });
  const call = {
    ...at,
    body: encodeEmployees(bodies),
    secrets: bodies.flatMap(({ fields }) => secretsIn(fields)),
    items: bodies.length,
  };
  return outcomesOf(bodies, await client.call({ ...call, decode: decodeImport }, signal));
}

/** Modifies one employee (interface, Employees: Modify employee). See {@link Service.modifyEmployee}. */
export function modifyEmployee(
  { client, scope }: EmployeesOf,
  { id, body }: { readonly id: string; readonly body: EmployeeModification },
  signal: AbortSignal,
): Promise<void> {
  const at = endpoint(OPERATIONS.modifyEmployee, { code: scope.orgCode, employeeId: id });
  const call = { ...at, body: encodeEmployeeModification(body), secrets: secretsIn(body.fields) };
  return client.call({ ...call, decode: () => undefined }, signal);
}

/** Returns the endpoint of one employee (interface, Employees: Get employee). */
export function employeeAt({ orgCode }: Scope, employeeId: string): Endpoint {
  return endpoint(OPERATIONS.getEmployee, { code: orgCode, employeeId });
}

/** Status "no matching employee" (interface, Errors). */
export const NO_MATCHING_EMPLOYEE = 202012;

/**
 * Returns the outcome of each body. Both maps are "keyed by user name" (interface, Import employees). A key
 * in another case is used if it can mean only one of the bodies. A body in neither map, or in both, is
 * unknown and has to be read back.
 */
export function outcomesOf(bodies: readonly EmployeeBody[], maps: ImportMaps): readonly ItemOutcome[] {
  const outcomes = { done: new Map(maps.successes), refused: new Map(maps.failures) };
  const keys = [...outcomes.done.keys(), ...outcomes.refused.keys()];
  const spelled = spellings(keys);
  const sent = spellings(bodies.map(({ username }) => username));
  return bodies.map(({ username }) => {
    const folded = foldUsername(username);
    const isExact = outcomes.done.has(username) || outcomes.refused.has(username);
    const isClear = spelled.get(folded)?.size === 1 && sent.get(folded)?.size === 1;
    const [key = username] = isExact || !isClear ? [] : (spelled.get(folded) ?? []);
    return outcomeOf(outcomes.done.get(key), outcomes.refused.get(key));
  });
}

function outcomeOf(value: string | undefined, reason: string | undefined): ItemOutcome {
  if (value !== undefined && reason === undefined) return { outcome: 'done', value };
  if (reason !== undefined && value === undefined) return { outcome: 'refused', reason };
  return { outcome: 'unknown' };
}

function spellings(usernames: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const username of usernames) {
    const folded = foldUsername(username);
    found.set(folded, (found.get(folded) ?? new Set()).add(username));
  }
  return found;
}

type Family = 'disable' | 'lock';
type LeaveAction = 'leave' | 'reinstate';

const ROWS = { leave: OPERATIONS.disableEmployee, reinstate: OPERATIONS.enableEmployee } as const;

/**
 * Sends Leave and Reinstate (interface, Employees). The newer path is tried first; if it is
 * unknown (404, 405), the older one, which is remembered once it answers anything else. A 404 from both means
 * the employee.
 */
export class LeaveVerbs {
  readonly #client: Client;
  readonly #scope: Scope;
  #family: Family | null = null;

  constructor(client: Client, scope: Scope) {
    this.#client = client;
    this.#scope = scope;
  }

  /** Sends the action; throws as {@link Client.call} does. */
  async send(action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<void> {
    const reply = await this.#ask(action, employeeId, signal);
    if (!reply.ok) throw reply.refusal;
  }

  async #ask(action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<Reply<void>> {
    if (this.#family !== null) return this.#post(this.#family, action, employeeId, signal);
    const newer = await this.#post('disable', action, employeeId, signal);
    if (!isUnknownPath(newer)) {
      this.#family = 'disable';
      return newer;
    }
    const older = await this.#post('lock', action, employeeId, signal);
    if (!isUnknownPath(older)) this.#family = 'lock';
    return older;
  }

  #post(family: Family, action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<Reply<void>> {
    const { path, older } = ROWS[action];
    const row = { ...ROWS[action], path: family === 'disable' ? path : older };
    const at = endpoint(row, { code: this.#scope.orgCode, employeeId });
    return this.#client.tryCall({ ...at, decode: () => undefined }, signal);
  }
}

/** Returns whether a service says that it does not know a path (404, 405). */
export function isUnknownPath(reply: Reply<unknown>): boolean {
  return !reply.ok && (isNotThere(reply.http) || isNotThere(reply.refusal.status));
}

function isNotThere(status: number): boolean {
  return status === 404 || status === 405;
}

const USERS = { decode: decodePage('users', decodeUser), idOf: ({ userId }: User): string => userId };

/** Lists users (interface, Users: "Paged users"). See {@link Service.users}. */
export function listUsers(
  reader: PageReader,
  since: number | null,
  signal: AbortSignal,
): AsyncIterable<Page<User>> {
  return pages(reader, usersSince(since), USERS, signal);
}

/** See {@link Service.glance}. */
export function glanceAtUsers(client: Client, since: number | null, signal: AbortSignal): Promise<Glance> {
  return glanceAt(client, usersSince(since), USERS, signal);
}

function usersSince(since: number | null): PagedCall {
  const query = since === null ? {} : { refresh_time: String(since) };
  return { ...endpoint(OPERATIONS.pageUsers, {}), query };
}

/**
 * Decodes a user (interface, "User"). One without an account name counts among the records of its page, under
 * the empty name.
 */
export function decodeUser(value: unknown): User {
  const user = objectOf(value, 'a user');
  return {
    userId: idOf(user['user_id'] ?? user['id'], 'the user_id of a user'),
    username: textOrNull(user['username']) ?? '',
    ...(shownBoolean(user['disabled']) === true ? { disabled: true } : {}),
  };
}
