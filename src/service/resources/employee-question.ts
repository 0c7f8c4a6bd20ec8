import { OPERATIONS } from '../../interface/operations/operations.ts';
import { encodeQueryValue, endpoint, type AnyCall, type Scope } from '../calls/call.ts';
import { isRefusal, type Refusal } from '../calls/verdict.ts';
import type { EmployeesOf } from './employees.ts';
import { decodeEmployee, type ListedEmployee } from '../wire/decode-employee.ts';
import { listOf } from '../wire/decode.ts';

/** All records of an answer, also those of other organizations: its length shows whether it is cut short. */
export type ListedEmployees = readonly ListedEmployee[];

const decodeList = (result: unknown): ListedEmployees =>
  listOf(result, 'the list of employees').map(decodeEmployee);

/** By what employees are asked for (interface, Employees, "List employees": `type`). */
export type AskedBy = 'username' | 'id';

/**
 * Returns the question for these usernames or ids (interface, Employees: "List employees"). A username with a
 * comma in it cannot stand in a list.
 */
export function questionFor({ orgCode, domainId }: Scope, type: AskedBy, names: readonly string[]): AnyCall {
  const matching = names.length !== 1 || !names.some((name) => name.includes(','));
  const query = names.join(',').toWellFormed();
  return {
    ...endpoint(OPERATIONS.listEmployees, { code: orgCode }),
    query: { domain_id: domainId, type, matching: String(matching), query },
  };
}

/** Asks the question; returns all employees in the answer, or the refusal. */
export async function askForEmployees(
  { client }: EmployeesOf,
  question: AnyCall,
  signal: AbortSignal,
): Promise<ListedEmployees | Refusal> {
  try {
    return await client.call({ ...question, decode: decodeList }, signal);
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/**
 * Returns whether the answer has a username in exactly this spelling, since another account may differ in case
 * alone, or this id.
 */
export function shows(answer: ListedEmployees, by: AskedBy, name: string | undefined): boolean {
  return answer.some(({ employee }) => employee[by] === name);
}

/**
 * Bytes of the longest username that is asked for: no account has a longer one, and it would not fit into a
 * URL.
 */
const LONGEST_USERNAME_BYTES = 1000;

/** Leaves out usernames that cannot exist: empty and impossibly long ones. */
export function askable(usernames: readonly string[]): readonly string[] {
  return [...new Set(usernames)].filter((name) => name !== '' && bytesOf(name) <= LONGEST_USERNAME_BYTES);
}

/** Room in the next question; asked for again before each. */
export interface Room {
  /** Bytes of the encoded names with their commas. */
  readonly bytes: number;
  readonly names: number;
}

/** Yields questions as long as the room allows, in order; each holds at least one name. */
export function* batchUsernames(
  usernames: readonly string[],
  roomNow: () => Room,
): Generator<readonly string[]> {
  for (let from = 0; from < usernames.length;) {
    const to = from + fitting(usernames.slice(from, from + roomNow().names), roomNow().bytes);
    yield usernames.slice(from, to);
    from = to;
  }
}

function fitting(names: readonly string[], bytes: number): number {
  let remaining = bytes;
  const first = names.findIndex((name) => (remaining -= bytesOf(name) + 1) < 0);
  return first < 0 ? Math.max(1, names.length) : Math.max(1, first);
}

/** Returns the bytes of the encoded list, with a comma after each name. */
export function bytesOfNames(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + bytesOf(name) + 1, 0);
}

function bytesOf(name: string): number {
  return encodeQueryValue(name.toWellFormed()).length;
}
