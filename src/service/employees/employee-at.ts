import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint, type Endpoint } from '../calls/endpoint.ts';
import type { Scope } from '../calls/scope.ts';

/** Returns the endpoint of one employee (interface, Employees: Get employee). */
export function employeeAt({ orgCode }: Scope, employeeId: string): Endpoint {
  return endpoint(OPERATIONS.getEmployee, { code: orgCode, employeeId });
}
