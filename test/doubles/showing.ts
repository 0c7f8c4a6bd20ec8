import type { Employee, Service } from '../../src/domain/ports/service.ts';

type Found = ReadonlyMap<string, Employee>;

/**
 * Returns a service that shows accounts otherwise, in its list and one by one.
 *
 * @param show returns what is shown of an account; `null`: it is not there
 */
export function showing(service: Service, show: (employee: Employee) => Employee | null): Service {
  const seen = (found: Found): Found =>
    new Map(
      [...found].flatMap(([key, employee]) => {
        const shown = show(employee);
        return shown === null ? [] : [[key, shown]];
      }),
    );
  return {
    ...service,
    employees: async (usernames, signal) => {
      const { found, unclear } = await service.employees(usernames, signal);
      return { found: seen(found), unclear };
    },
    accountsById: async (accounts, signal) => {
      const { found, unclear } = await service.accountsById(accounts, signal);
      return { found: seen(found), unclear };
    },
    employee: async (id, signal) => {
      const employee = await service.employee(id, signal);
      return employee === null ? null : show(employee);
    },
  };
}
