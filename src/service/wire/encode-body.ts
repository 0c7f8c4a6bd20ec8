import {
  PERSON_FIELDS,
  POSITION_FIELDS,
  UNIT_FIELDS,
  type Fields,
  type FieldSpec,
} from '../../domain/records/fields.ts';
import type {
  EmployeeBody,
  EmployeeModification,
  EmployeePosition,
  OrganizationBody,
} from '../../domain/ports/service.ts';
import { encodeFields, propertyList } from './encode-fields.ts';
import { encodeJson, long, type Json } from './encode-json.ts';

/** "Modify node" takes `sort_order` as a String, "Create node" as an Integer. */
const MODIFY_UNIT_FIELDS: Readonly<Record<string, FieldSpec>> = {
  ...UNIT_FIELDS,
  sort_order: { kind: 'text' },
};

/** Encodes the body of Import nodes (interface, Organizations). */
export function encodeOrganizations(bodies: readonly OrganizationBody[]): string {
  return encodeJson(bodies.map(organizationJson));
}

/** Encodes the body of Create node (interface, Organizations). */
export function encodeOrganization(body: OrganizationBody): string {
  return encodeJson(organizationJson(body));
}

const organizationJson = ({ parentId, fields }: OrganizationBody): Json => ({
  parent_id: parentId,
  ...encodeFields(fields, UNIT_FIELDS),
});

/** Encodes the body of Modify node (interface, Organizations). */
export function encodeModification(fields: Fields): string {
  return encodeJson(encodeFields(fields, MODIFY_UNIT_FIELDS));
}

/** Encodes the body of Import employees (interface, Employees). */
export function encodeEmployees(bodies: readonly EmployeeBody[]): string {
  return encodeJson(bodies.map(encodeEmployee));
}

/** Fields that the body of Modify employee lacks, besides the username (interface, Employees). */
const ONLY_IMPORTED: ReadonlySet<string> = new Set([
  'source_id',
  'user_id',
  'password',
  'source_credentials',
  'source_identifiers',
]);

/** Encodes the body of Modify employee (interface, Employees), where a `data_schema_id` is a String. */
export function encodeEmployeeModification({ fields, positions }: EmployeeModification): string {
  const taken = Object.fromEntries(Object.entries(fields).filter(([name]) => !ONLY_IMPORTED.has(name)));
  const { properties = null } = taken;
  return encodeJson({
    ...encodeFields(taken, PERSON_FIELDS),
    ...(properties === null ? {} : { properties: propertyList(properties, (id) => id) }),
    positions: positions.map(encodePosition),
  });
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
