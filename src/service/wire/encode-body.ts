import type { Fields } from '../../domain/records/fields.ts';
import type {
  EmployeeBody,
  EmployeeModification,
  EmployeePosition,
  OrganizationBody,
} from '../../domain/ports/service.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { encodeFields, takenBy } from './encode-fields.ts';
import { encodeJson, long, type Json } from './encode-json.ts';

const CREATED_NODE = OPERATIONS.createOrganization.body.of.fields;
const MODIFIED_NODE = OPERATIONS.modifyOrganization.body.of.fields;
const IMPORTED = OPERATIONS.importEmployees.body.of.of.fields;
const MODIFIED = OPERATIONS.modifyEmployee.body.of.fields;
const POSITION = IMPORTED.positions.of.fields;

/** Encodes the body of Import nodes (interface, Organizations). */
export function encodeOrganizations(bodies: readonly OrganizationBody[]): string {
  return encodeJson(bodies.map(organizationJson));
}

/** Encodes the body of Create node (interface, Organizations). */
export function encodeOrganization(body: OrganizationBody): string {
  return encodeJson(organizationJson(body));
}

function organizationJson({ parentId, fields }: OrganizationBody): Json {
  return { parent_id: parentId, ...encodeFields(fields, CREATED_NODE) };
}

/** Encodes the body of Modify node (interface, Organizations). */
export function encodeModification(fields: Fields): string {
  return encodeJson(encodeFields(fields, MODIFIED_NODE));
}

/** Encodes the body of Import employees (interface, Employees). */
export function encodeEmployees(bodies: readonly EmployeeBody[]): string {
  return encodeJson(bodies.map(encodeEmployee));
}

/** Encodes the body of Modify employee (interface, Employees); what only an import takes is left out. */
export function encodeEmployeeModification({ fields, positions }: EmployeeModification): string {
  return encodeJson({
    ...encodeFields(takenBy(fields, MODIFIED), MODIFIED),
    positions: positions.map(encodePosition),
  });
}

function encodeEmployee({ username, fields, positions, ops }: EmployeeBody): Json {
  return {
    username,
    ...encodeFields(fields, IMPORTED),
    positions: positions.map(encodePosition),
    ...(ops === undefined ? {} : { ops }),
  };
}

function encodePosition({ orgId, fields }: EmployeePosition): Json {
  return { org_id: long(orgId), ...encodeFields(fields, POSITION) };
}
