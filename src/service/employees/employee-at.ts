import { endpoint, type Endpoint } from '../calls/endpoint.ts';
import type { Scope } from '../calls/scope.ts';

/** Returns the endpoint of one employee (interface, Employees: Get employee). */
export function employeeAt({ orgCode }: Scope, employeeId: string): Endpoint {
  return endpoint('GET /v1/admin/organizations/{org_code}/employees/{employee_id}', {
    org_code: orgCode,
    employee_id: employeeId,
  });
}
