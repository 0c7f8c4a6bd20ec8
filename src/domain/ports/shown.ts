import type { Fields } from '../records/fields.ts';
import type { Employee, EmployeePosition, Unread } from './service.ts';

/** What the service shows of a person, always spelled the same way: equal text means equal values. */
export interface Shown {
  readonly fields: Fields;
  /** See {@link Employee.unwritable}. */
  readonly unwritable?: readonly string[];
  readonly unread?: Unread;
  /** Sorted by organization id. */
  readonly positions: readonly EmployeePosition[];
}

/** Returns the fields in the order that a shown value has them. */
export function sortedFields(fields: Fields): Fields {
  const names = Object.keys(fields);
  // As answers are decoded in this order, nearly all are.
  if (names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name)) return fields;
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function shownOf(employee: Employee): Shown {
  const positions = employee.positions
    .map(({ orgId, fields }) => ({ orgId, fields: sortedFields(fields) }))
    .toSorted((a, b) => (a.orgId < b.orgId ? -1 : 1));
  const { unwritable = [], unread } = employee;
  const fields = sortedFields(employee.fields);
  const kept = unwritable.length === 0 ? {} : { unwritable };
  return { fields, positions, ...kept, ...(unread === undefined ? {} : { unread }) };
}
