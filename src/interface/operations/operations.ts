import type { Operation } from '../operation.ts';
import { EMPLOYEES } from './employees.ts';
import { MEDIA } from './media.ts';
import { ORGANIZATIONS } from './organizations.ts';
import { PUSH } from './push.ts';
import { SCHEDULES } from './schedules.ts';
import { TEMPLATES } from './templates.ts';
import { USERS } from './users.ts';

/** All operations of the interface by name, in the order of the document. Pure data. */
export const OPERATIONS = {
  ...TEMPLATES,
  ...PUSH,
  ...EMPLOYEES,
  ...ORGANIZATIONS,
  ...MEDIA,
  ...SCHEDULES,
  ...USERS,
} as const;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

/** Returns an operation's row; `undefined` for a name that the interface does not have. */
export function rowOf(name: string): Operation | undefined {
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as OperationName] : undefined;
}
