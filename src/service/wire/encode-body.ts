import type {
  EmployeeBody,
  EmployeeModification,
  EmployeePosition,
  OrganizationBody,
} from '../../domain/ports/service.ts';
import { SECRET_FIELDS, type Fields as Values, type FieldValue } from '../../domain/records/fields.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import type { Field, Fields, Simple } from '../../interface/field.ts';

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
export function encodeModification(fields: Values): string {
  return encodeJson(encodeFields(fields, MODIFIED_NODE));
}

/** Encodes the body of Import employees (interface, Employees). */
export function encodeEmployees(bodies: readonly EmployeeBody[]): string {
  return encodeJson(bodies.map(encodeEmployee));
}

/** Encodes the body of Modify employee (interface, Employees); what only an import takes is left out. */
export function encodeEmployeeModification({ fields, positions }: EmployeeModification): string {
  return encodeJson({
    ...encodeFields(fieldsOfBody(fields, MODIFIED), MODIFIED),
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

const NUMBERS: ReadonlySet<Simple> = new Set(['id', 'integer', 'time', 'day', 'float']);

/**
 * Encodes fields as members of a body, each as its row says. `null` stays null, a missing key stays missing. Throws a
 * TypeError for a field that the row does not have.
 */
function encodeFields(values: Values, fields: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fields[name];
      if (field === undefined) throw new TypeError(`The interface has no field ${name} here.`);
      return [name, value === null ? null : encode(value, field)];
    }),
  );
}

/** Returns those of the values whose fields a body takes. */
function fieldsOfBody(values: Values, fields: Fields): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name)));
}

function encode(value: FieldValue, field: Field): Json {
  if (field.kind === 'map' || field.kind === 'record') return value;
  if (field.kind !== 'list') return encodeSimple(value, field.kind);
  if (field.of.kind === 'record') return encodeRecords(value, field.of.fields);
  const { kind } = field.of;
  const simple = kind === 'list' || kind === 'map' ? 'json' : kind;
  return Array.isArray(value) ? value.map((one) => encodeSimple(one, simple)) : encodeSimple(value, simple);
}

function encodeSimple(value: FieldValue, kind: Simple): Json {
  return NUMBERS.has(kind) && typeof value === 'string' ? long(value) : value;
}

/** Encodes values by name as a list of records (interface, Employees: `Property`, `Tag`). */
function encodeRecords(value: FieldValue, fields: Fields): Json {
  const named = Object.entries(value) as readonly [string, readonly string[]][];
  const { data_schema_id: id } = fields;
  if (id === undefined) return named.flatMap(([group, tags]) => tags.map((tag) => ({ group, tag })));
  return named.map(([schema, values]) => ({ data_schema_id: encode(schema, id), values }));
}

/** A 64-bit integer as decimal digits, written as a JSON number without going through a double (promise 8). */
class Long {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

type Json = string | boolean | null | Long | readonly Json[] | { readonly [key: string]: Json };

/**
 * Returns decimal digits as a number; any other text stays text: the interface's ids are text, and it does
 * not show their numbers.
 */
export function long(text: string): Long | string {
  return /^-?\d+$/.test(text) ? new Long(BigInt(text).toString()) : text;
}

export function encodeJson(value: Json): string {
  if (value instanceof Long) return value.digits;
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${encodeJson(member)}`,
  );
  return `{${members.join(',')}}`;
}

/** Returns the secrets in a body: passwords, credentials and the like, wherever they stand. */
export function secretsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    SECRET_FIELDS.includes(name) ? textsIn(one) : secretsIn(one),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
