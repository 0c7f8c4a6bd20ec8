import type { AnyCall } from '../calls/call.ts';
import type { EmployeesOf } from './employees.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import type { Scope } from '../calls/scope.ts';
import { isRefusal, type Refusal } from '../calls/too-much.ts';
import { decodeEmployee, type ListedEmployee } from '../wire/decode-employee.ts';
import { listOf } from '../wire/decode.ts';

/** All records of an answer, also those of other organizations: its length shows whether it is cut short. */
export type Answer = readonly ListedEmployee[];

const decodeList = (result: unknown): Answer => listOf(result, 'the list of employees').map(decodeEmployee);

/**
 * Returns the question for these names (interface, Employees: "List employees"). A username with a comma in
 * it cannot stand in a list.
 */
export function questionFor({ orgCode, domainId }: Scope, names: readonly string[]): AnyCall {
  const matching = names.length !== 1 || !names.some((name) => name.includes(','));
  const query = names.join(',').toWellFormed();
  return {
    ...endpoint(OPERATIONS.listEmployees, { code: orgCode }),
    query: { domain_id: domainId, type: 'username', matching: String(matching), query },
  };
}

/** Asks the question; returns everybody in the answer, or the refusal. */
export async function askForEmployees(
  { client, scope }: EmployeesOf,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Answer | Refusal> {
  try {
    return await client.call({ ...questionFor(scope, names), decode: decodeList }, signal);
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/**
 * Returns whether the answer has a username in exactly this spelling: another account may differ in case
 * alone.
 */
export function shows(answer: Answer, username: string | undefined): boolean {
  return answer.some(({ employee }) => employee.username === username);
}
