import type { Service } from '../operation/service.ts';

/** Takes the positions at a node away from whoever holds them, when the node goes. */
export function dropPositions(service: Service, orgId: string): void {
  const { employees } = service.world;
  for (const id of Array.from(employees.everyone.members(orgId))) {
    const employee = employees.get(id);
    if (employee === undefined) continue;
    const positions = employee.positions.filter((position) => position.orgId !== orgId);
    employees.put({ ...employee, positions, refreshed: service.now() });
  }
}
