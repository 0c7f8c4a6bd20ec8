import { isObject } from '../../interface/json.ts';
import type { Employee, EmployeePosition, Unread } from '../../domain/ports/service.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { idsOfPath } from './decode-organization.ts';
import {
  decodeFields,
  idOf,
  objectOf,
  shownBoolean,
  shownInteger,
  shownIntegers,
  shownText,
  textOrNull,
  type FieldDecoder,
  type ShownField,
  type WireObject,
} from './decode.ts';

/**
 * Reads properties if they look like those of the body: the interface does not show the shape of the
 * elements.
 */
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

/** Reads a set of names, always spelled the same way. */
function shownNames(value: unknown): readonly string[] | null | undefined {
  if (value === null || !Array.isArray(value)) return value === null ? null : undefined;
  const names = value.map(shownText);
  return names.every((name) => typeof name === 'string') ? [...new Set(names)].toSorted() : undefined;
}

const GENDER: ShownField = ['gender', 'gender', shownText];

/** Tags by name, which have no groups here: they can be compared, and not sent. */
const TAG_NAMES: ShownField = ['tag_names', 'tag_names', shownNames];

/** Shown fields of a list record: the keys of the body, except for the rank. In the order of `sortedFields`. */
const LISTED: readonly ShownField[] = [
  ['email', 'email', shownText],
  GENDER,
  ['mobile', 'mobile', shownText],
  ['name', 'name', shownText],
  ['properties', 'properties', shownProperties],
  ['employee_rank', 'rank', shownInteger],
  ['senior', 'senior', shownBoolean],
  ['sn', 'sn', shownText],
  ['sort_order', 'sort_order', shownInteger],
  TAG_NAMES,
  ['tags', 'tags', shownIntegers],
];
/** Those that have the form of the body. */
const SHOWN = LISTED.filter((field) => field !== TAG_NAMES);

const SHOWN_OF_POSITION: readonly ShownField[] = [
  ['chief', 'chief', shownBoolean],
  ['job_title', 'job_title', shownText],
  ['primary', 'primary', shownBoolean],
];

/** An employee and its organization: an answer may have other organizations of the domain in it. */
export interface ListedEmployee {
  readonly orgCode: string | null;
  readonly employee: Employee;
  /** Whether the record says nothing about positions, which does not mean that there are none. */
  readonly lacksPositions: boolean;
}

/**
 * Decodes a list record (interface, "Employee (list / view record)"); only `locked: true` means that the
 * employee has left.
 */
export function decodeEmployee(value: unknown): ListedEmployee {
  const record = objectOf(value, 'an employee');
  const positions = record['positions'];
  const fields = decodeFields(record, LISTED);
  const unread = unreadOf(record, fields);
  const unwritable = unwritableOf(record, fields, Object.keys(unread));
  return {
    orgCode: textOrNull(record['org_code']),
    lacksPositions: !Array.isArray(positions),
    employee: {
      id: idOf(record['id'], 'the id of an employee'),
      username: textOrNull(record['username']) ?? '',
      locked: shownBoolean(record['locked']) === true,
      ...createdOf(record['created']),
      fields,
      ...(unwritable.length === 0 ? {} : { unwritable }),
      ...(Object.keys(unread).length === 0 ? {} : { unread }),
      positions: Array.isArray(positions) ? positions.flatMap(decodePosition) : [],
    },
  };
}

/**
 * Returns the names of values that must not be sent back: in a form that cannot be read, or of a schema with
 * `privacy`.
 */
function unwritableOf(record: WireObject, fields: Fields, unread: readonly string[]): readonly string[] {
  const { data_schemas: schemas } = record;
  const hidden = (Array.isArray(schemas) ? schemas.filter(isObject) : [])
    .filter(({ privacy }) => shownBoolean(privacy) === true)
    .flatMap(({ id, property }) => [`properties.${textOrNull(id)}`, textOrNull(property) ?? '']);
  const listed = Object.keys(fields['properties'] ?? {}).map((id) => `properties.${id}`);
  const names = new Set([...Object.keys(fields).filter((name) => name !== 'tag_names'), ...listed]);
  return [...unread, ...hidden.filter((name) => names.has(name))].toSorted();
}

/** Keys shown in place of an id: a body takes `tag_names` in another form, and reads the rank's id first. */
const SHOWN_BY_NAME = [
  ['tag_names', 'tags'],
  ['employee_rank_name', 'employee_rank'],
] as const;

function unreadOf(record: WireObject, fields: Fields): Unread {
  const unread = SHOWN.filter(([key, name]) => !(name in fields) && !isBlank(record[key]));
  const values = unread.map(([key, name]) => [name, elementsOf(record[key])] as const);
  const names = SHOWN_BY_NAME.filter(([name, id]) => isBlank(record[id]) && !isBlank(record[name]));
  return Object.fromEntries([...values, ...names.map(([name]) => [name, elementsOf(record[name])])]);
}

/** Returns the elements as texts. The order of elements and keys does not change them. */
function elementsOf(value: unknown): readonly string[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  return elements.map((element) => JSON.stringify(sorted(element))).toSorted();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

/** Shown fields of a result: the rank has the key of the body, and the user's fields are with the user. */
const SHOWN_OF_RESULT: readonly ShownField[] = [
  ...SHOWN.filter((field) => field !== GENDER && field[0] !== 'employee_rank'),
  ['rank', 'rank', shownInteger],
];

/**
 * Decodes one employee (interface, "Employee (result of create, get one, modify …)"); `null`: there is none,
 * or it is shown as deleted. Throws a ShapeError if there is no id.
 */
export function decodeEmployeeResult(value: unknown): Employee | null {
  if (value === null || value === undefined) return null;
  const record = objectOf(value, 'an employee');
  if (shownBoolean(record['deleted']) === true) return null;
  const identity = record['employee_id'];
  const user = isObject(record['user']) ? record['user'] : {};
  const positions = record['positions'];
  return {
    id: idOf(isObject(identity) ? identity['id'] : (identity ?? record['id']), 'the id of an employee'),
    username: textOrNull(user['username']) ?? textOrNull(record['username']) ?? '',
    locked: [record['disabled'], record['locked']].some((flag) => shownBoolean(flag) === true),
    fields: { ...decodeFields(record, SHOWN_OF_RESULT), ...decodeFields(user, [GENDER]) },
    positions: Array.isArray(positions) ? positions.flatMap(decodePosition) : [],
  };
}

/** Returns the time of creation, a Long of ms; a value with a fraction is ignored. */
function createdOf(value: unknown): Pick<Employee, 'created'> {
  const created = Math.floor(Number(shownText(value) ?? 0));
  return created > 0 ? { created } : {};
}

/** Decodes a position; one that names its node neither by id nor by path is left out. */
function decodePosition(value: unknown): readonly EmployeePosition[] {
  if (!isObject(value)) return [];
  const orgId = textOrNull(value['org_id']) ?? idsOfPath(value['path']).at(-1);
  return orgId === undefined ? [] : [{ orgId, fields: decodeFields(value, SHOWN_OF_POSITION) }];
}
