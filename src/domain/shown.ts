import type { Fields } from './fields.ts';
import type { Employee, EmployeePosition } from './service.ts';

/** What the service shows of a person, spelled one way: equal text means equal. */
export interface Shown {
  readonly fields: Fields;
  /** See {@link Employee.unwritable}. */
  readonly unwritable?: readonly string[];
  /** Sorted by organization id. */
  readonly positions: readonly EmployeePosition[];
}

function sortedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function shownOf(employee: Employee): Shown {
  const positions = employee.positions
    .map(({ orgId, fields }) => ({ orgId, fields: sortedFields(fields) }))
    .toSorted((a, b) => (a.orgId < b.orgId ? -1 : 1));
  const { unwritable = [] } = employee;
  const fields = sortedFields(employee.fields);
  return unwritable.length === 0 ? { fields, positions } : { fields, positions, unwritable };
}
