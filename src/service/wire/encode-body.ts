import {
  PERSON_FIELDS,
  POSITION_FIELDS,
  UNIT_FIELDS,
  type Fields,
  type FieldSpec,
} from '../../domain/fields.ts';
import type { EmployeeBody, EmployeePosition, OrganizationBody } from '../../domain/service.ts';
import { encodeFields } from './encode-fields.ts';
import { encodeJson, long, type Json } from './encode-json.ts';

/** "Modify node" takes `sort_order` as a String, "Create node" as an Integer. */
const MODIFY_UNIT_FIELDS: Readonly<Record<string, FieldSpec>> = {
  ...UNIT_FIELDS,
  sort_order: { kind: 'text' },
};

/** Interface, Organizations: Import nodes. */
export function encodeOrganizations(bodies: readonly OrganizationBody[]): string {
  return encodeJson(
    bodies.map(({ parentId, fields }) => ({ parent_id: parentId, ...encodeFields(fields, UNIT_FIELDS) })),
  );
}

/** Interface, Organizations: Modify node. */
export function encodeModification(fields: Fields): string {
  return encodeJson(encodeFields(fields, MODIFY_UNIT_FIELDS));
}

/** Interface, Employees: Import employees. */
export function encodeEmployees(bodies: readonly EmployeeBody[]): string {
  return encodeJson(bodies.map(encodeEmployee));
}

function encodeEmployee({ username, fields, positions, ops }: EmployeeBody): Json {
  return {
    username,
    ...encodeFields(fields, PERSON_FIELDS),
    positions: positions.map(encodePosition),
    ...(ops === undefined ? {} : { ops }),
  };
}

function encodePosition({ orgId, fields }: EmployeePosition): Json {
  return { org_id: long(orgId), ...encodeFields(fields, POSITION_FIELDS) };
}
