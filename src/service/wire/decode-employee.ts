import type { Employee, EmployeePosition } from '../../domain/service.ts';
import { decodeFields, type ShownField } from './decode-fields.ts';
import { idsOfPath } from './decode-organization.ts';
import {
  idOf,
  isObject,
  objectOf,
  shownBoolean,
  shownInteger,
  shownIntegers,
  shownText,
  textOrNull,
  type FieldDecoder,
} from './decode.ts';

/** The shape of the elements is not shown: read where they look like those of the body, else not shown. */
const shownProperties: FieldDecoder = (value) => {
  if (value === null || !Array.isArray(value)) return value === null ? null : undefined;
  const pairs = value.map(propertyOf);
  return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs) : undefined;
};

function propertyOf(value: unknown): readonly [string, readonly string[]] | null {
  if (!isObject(value)) return null;
  const id = textOrNull(value['data_schema_id']);
  const values = value['values'];
  if (id === null || !Array.isArray(values)) return null;
  const texts = values.map(shownText);
  return texts.every((text) => typeof text === 'string') ? [id, texts] : null;
}

/** The record's keys are those of the body, but for the rank. */
const SHOWN: readonly ShownField[] = [
  ['name', 'name', shownText],
  ['gender', 'gender', shownText],
  ['email', 'email', shownText],
  ['mobile', 'mobile', shownText],
  ['sn', 'sn', shownText],
  ['sort_order', 'sort_order', shownInteger],
  ['senior', 'senior', shownBoolean],
  ['employee_rank', 'rank', shownInteger],
  ['tags', 'tags', shownIntegers],
  ['properties', 'properties', shownProperties],
];

const SHOWN_OF_POSITION: readonly ShownField[] = [
  ['job_title', 'job_title', shownText],
  ['primary', 'primary', shownBoolean],
  ['chief', 'chief', shownBoolean],
];

/** An employee and whose it is: other organizations of the domain may be in the answer. */
export interface ListedEmployee {
  readonly orgCode: string | null;
  readonly employee: Employee;
}

/** Interface, "Employee (list / view record)"; only `locked: true` means that the employee has left. */
export function decodeEmployee(value: unknown): ListedEmployee {
  const record = objectOf(value, 'an employee');
  const positions = record['positions'];
  return {
    orgCode: textOrNull(record['org_code']),
    employee: {
      id: idOf(record['id'], 'the id of an employee'),
      username: textOrNull(record['username']) ?? '',
      locked: shownBoolean(record['locked']) === true,
      fields: decodeFields(record, SHOWN),
      positions: Array.isArray(positions) ? positions.flatMap(decodePosition) : [],
    },
  };
}

/** A position that names its node neither by id nor by path is at none. */
function decodePosition(value: unknown): readonly EmployeePosition[] {
  if (!isObject(value)) return [];
  const orgId = textOrNull(value['org_id']) ?? idsOfPath(value['path']).at(-1);
  return orgId === undefined ? [] : [{ orgId, fields: decodeFields(value, SHOWN_OF_POSITION) }];
}
