import { RefusedError, ServiceError } from '../../domain/errors.ts';
import type {
  Employee,
  EmployeeBody,
  EmployeeModification,
  ItemOutcome,
} from '../../domain/ports/service.ts';
import type { Client } from '../calls/client.ts';
import { employeeAt } from './employee-at.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import { outcomesOf } from './import-outcomes.ts';
import type { Scope } from '../calls/scope.ts';
import { isNothing, type NoSuchEmployee } from './no-such-employee.ts';
import { decodeEmployeeResult } from '../wire/decode-employee.ts';
import { decodeImport } from '../wire/decode-import.ts';
import { encodeEmployeeModification, encodeEmployees } from '../wire/encode-body.ts';
import { secretsIn } from '../wire/secrets-in.ts';

export interface EmployeesOf {
  readonly client: Client;
  readonly scope: Scope;
  readonly noSuch: NoSuchEmployee;
}

const EMPTY =
  'the service answers nothing when asked for an employee by id, which is not what it says of an id that nobody has';
const decodeAnswer = (
  result: unknown,
): { readonly employee: Employee | null; readonly isEmpty: boolean } => ({
  employee: decodeEmployeeResult(result),
  isEmpty: isNothing(result),
});

/**
 * Gets one employee (interface, Employees: Get employee). See {@link Service.employee}. Throws a RefusedError
 * that does not clearly say that there is none.
 */
export async function employeeById(
  { client, scope, noSuch }: EmployeesOf,
  id: string,
  signal: AbortSignal,
): Promise<Employee | null> {
  const reply = await client.ask({ ...employeeAt(scope, id), decode: decodeAnswer }, signal);
  if (!reply.ok) {
    if (reply.settled && (await noSuch.says(reply.refusal, id, signal))) return null;
    throw reply.refusal;
  }
  const { employee, isEmpty } = reply.value;
  if (isEmpty && !(await noSuch.saysNothing(id, signal))) throw new RefusedError(EMPTY, 0);
  if (employee === null || employee.id === id) return employee;
  throw new ServiceError(`The service answers with employee ${employee.id} when asked for ${id}.`);
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
