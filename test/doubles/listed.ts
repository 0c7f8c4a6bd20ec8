import type { Employee, Employees } from '../../src/domain/ports/service.ts';

/** An answer of the employees list to whom each of these is who was asked for. */
export function listed(employees: readonly Employee[]): Employees {
  return {
    found: new Map(employees.map((employee) => [employee.username, employee])),
    unclear: new Map(),
  };
}
