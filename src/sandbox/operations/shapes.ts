import { isList, isObject, writeJson, type Json, type JsonObject } from '../../interface/json.ts';
import { EMPLOYEE, EMPLOYEE_RESULT, NODE } from '../../interface/operations/directory-records.ts';
import { asRow, wireOf, type Service } from './operation.ts';
import { initials, pinyin } from './request.ts';
import type { EmployeeRecord, OrganizationRecord, PositionRecord } from '../world/records.ts';

/**
 * Returns a node as every operation shows it (interface: Organization node): what has no value is left out,
 * what no operation can set is empty unless an administrator has typed it in.
 */
export function shownNode(service: Service, node: OrganizationRecord): JsonObject {
  const { organizations, employees } = service.world;
  const { id, created, refreshed } = node;
  const [count, total] = service.readings.disabledCount
    ? [employees.countMembers(id), employees.countBelow(id)]
    : [countActive(employees.membersOf(id)), countActive(employees.below(id))];
  const values = {
    ...UNSET_NODE,
    ...wireOf(service, node),
    parent_org_id: node.parentId,
    path: organizations.idPath(id),
    level: organizations.lineage(id).length - 1,
    created,
    last_modified: refreshed,
    disabled: false,
    employee_count: count,
    all_employee_count: total,
  };
  return asRow(values, NODE);
}

function countActive(employees: readonly EmployeeRecord[]): number {
  return employees.filter(({ locked }) => !locked).length;
}

const UNSET_NODE = { en_name: '', tw_name: '', owner_id: '', owner: '', owner_name: '' };

/** Returns the short form for display_nodes, root_org_info and directly_corp. */
export function nodeReference({ world }: Service, { id, name, type }: OrganizationRecord): JsonObject {
  return { id, name, type, path: world.organizations.idPath(id), display: true };
}

/** Returns an employee as lists show it (interface: Employee (list / view record)). */
export function shownEmployee(service: Service, employee: EmployeeRecord): JsonObject {
  return asRow(valuesOf(service, employee), EMPLOYEE);
}

/** Returns an employee as create, get one and modify show it: less than the list, and in another form. */
export function employeeResult(service: Service, employee: EmployeeRecord): JsonObject {
  const { positions, userId, username } = employee;
  const user = service.world.users.get(userId);
  const linked = { id: userId, username, name: user?.name, id_card: user?.idCard, gender: user?.gender };
  const values = {
    ...valuesOf(service, employee),
    employee_id: identity(service, employee.id),
    user: { ...linked, status: 'confirmed' },
    // "content: not shown".
    extension_profiles: {},
    positions: positions.map((position) => ({
      ...shownPosition(service, employee, position),
      position_id: identity(service, position.id),
    })),
    disabled: employee.locked,
    deleted: false,
    create_time: employee.created,
    modify_time: employee.refreshed,
  };
  return asRow(values, EMPLOYEE_RESULT);
}

function valuesOf(service: Service, employee: EmployeeRecord): JsonObject {
  const { name, created, refreshed, positions } = employee;
  const profile = shownProfile(service, employee);
  return {
    ...wireOf(service, employee),
    ...profile,
    ...NO_CHOICE,
    display_name: name,
    pinyin: pinyin(name),
    initial: initials(name),
    nickname: name,
    employee_rank: profile['rank'],
    tag_names: tagsOf(employee).names,
    created,
    last_modified: refreshed,
    positions: positions.map((position) => shownPosition(service, employee, position)),
    data_schemas: dataSchemas(service, employee),
    root_org_info: nodeReference(service, service.world.organizations.root),
  };
}

/** What every employee of a sandbox has. */
const NO_CHOICE = { type: 'EMPLOYEE', avatar: '', status: 'ACTIVATED', platforms: [] };

/** Returns a position. org_id is a Long in the interface, so it is a JSON number; the other ids are Strings. */
function shownPosition(service: Service, employee: EmployeeRecord, position: PositionRecord): JsonObject {
  const { organizations } = service.world;
  const { orgId, jobTitle } = position;
  const lineage = organizations.lineage(orgId);
  return {
    ...wireOf(service, position),
    code: service.orgCode,
    employee_id: employee.id,
    org_id: BigInt(orgId),
    path: organizations.idPath(orgId),
    type: lineage[0]?.type,
    job_title: jobTitle ?? UNSET_TEXT[service.readings.defaults],
    level: lineage.length - 1,
    full_name_path: organizations.namePath(orgId),
    org_name: lineage[0]?.name,
    display_nodes: lineage.toReversed().map((node) => nodeReference(service, node)),
  };
}

/** How a text without a value is shown. */
const UNSET_TEXT = { absent: undefined, zero: '', null: null } as const;

function identity({ domainId, orgCode }: Service, id: string): JsonObject {
  return { domain_id: domainId, code: orgCode, id };
}

/** Values of a new account in the fields of the profile that every record shows. */
const ZEROS: JsonObject = {
  gender: '',
  email: '',
  mobile: '',
  sn: '',
  sort_order: 0,
  senior: false,
  rank: 0,
  tags: [],
  properties: [],
};

/** Lists and flags, which are never left out. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['senior', 'tags', 'properties']);

/** Returns the profile as the readings `defaults`, `masked` and `propertyShape` show it. */
function shownProfile({ readings }: Service, employee: EmployeeRecord): JsonObject {
  const { rank, ids } = { rank: rankOf(employee), ids: tagsOf(employee).ids };
  const tags = readings.tagsShown === 'names' || ids.length === 0 ? undefined : ids;
  const stored: JsonObject = { ...employee.profile, rank, tags };
  const unset = (name: string): Json | undefined => {
    if (readings.defaults === 'null') return null;
    return readings.defaults === 'zero' || ALWAYS_SHOWN.has(name) ? ZEROS[name] : undefined;
  };
  const shown = (name: string, value: Json): Json => {
    const seen = readings.masked ? maskedValue(name, value) : value;
    return name === 'properties' && readings.propertyShape === 'schema' ? bySchema(seen) : seen;
  };
  return Object.fromEntries(
    Object.keys(ZEROS).map((name) => {
      const value = stored[name];
      return [name, value === undefined ? unset(name) : shown(name, value)];
    }),
  );
}

/** Returns a masked value: "138****0000", "a****@example.com". */
function maskedValue(name: string, value: Json): Json {
  if (name === 'properties' && isList(value))
    return value.filter(isObject).map((one) => ({ ...one, values: textsIn(one).map(() => '••••') }));
  if (typeof value !== 'string') return value;
  if (name === 'mobile') return `${value.slice(0, 3)}****${value.slice(-4)}`;
  return name === 'email' ? value.replace(/(?<=^.).*?(?=@)/u, '****') : value;
}

function bySchema(properties: Json): Json {
  if (!isList(properties)) return properties;
  return properties
    .filter(isObject)
    .map((one) => ({ schema: { id: one['data_schema_id'] }, data: textsIn(one) }));
}

function textsIn({ values }: JsonObject): readonly Json[] {
  return isList(values) ? values : [];
}

/** Returns a schema for each property of the employee; one that is shown masked is private. */
function dataSchemas({ domainId, orgCode, readings }: Service, { profile }: EmployeeRecord): readonly Json[] {
  return listIn(profile['properties']).map(({ data_schema_id: id = '' }) => {
    const text = typeof id === 'string' ? id : writeJson(id);
    const names = { property: `property${text}`, name: `Property ${text}`, alias: `Field ${text}` };
    const place = { domain_id: domainId, org_code: orgCode };
    return { ...SCHEMA, ...place, ...names, id, privacy: readings.masked };
  });
}

const SCHEMA: JsonObject = {
  type: 'TEXT',
  options: [],
  min: -1,
  max: -1,
  visible_range: 'ALL',
  ops_range: 'FINAL',
  opsable: true,
  sort_order: 0,
};

function listIn(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

interface Tags {
  readonly ids: readonly Json[];
  readonly names: readonly Json[];
}

/** Returns the tags: tags and rank are "read first", their names only where those are absent (interface). */
function tagsOf({ profile }: EmployeeRecord): Tags {
  const { tags, tag_names: named } = profile;
  if (isList(tags)) return { ids: tags, names: [] };
  const items = listIn(named);
  return {
    ids: items.map(({ group = '', tag = '' }) => idOfName(writeJson([group, tag]))),
    names: items.map(({ tag = '' }) => tag),
  };
}

function rankOf({ profile }: EmployeeRecord): Json | undefined {
  const name = profile['employee_rank_name'];
  return profile['rank'] ?? (typeof name === 'string' ? idOfName(name) : undefined);
}

/** Returns the same id for the same name without a table: FNV-1a, kept within an Integer. */
function idOfName(name: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 1;
}
