import { createHash } from 'node:crypto';
import { isList, isObject, writeJson, type Json, type JsonObject } from '../../interface/json.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import { invalid, Refused, type Service } from './operation.ts';
import { identifier } from './request.ts';
import type { Readings } from '../options/readings.ts';
import type { EmployeeRecord, PositionRecord, UserRecord } from '../world/records.ts';

type OrNone<T> = T | null | undefined;

/** What is read by name of a body of create, modify or an import, whose row was checked. */
export interface EmployeeBody {
  readonly name: string;
  readonly positions: readonly {
    readonly org_id?: OrNone<string | number | bigint>;
    readonly org_path?: OrNone<string>;
    readonly job_title?: OrNone<string>;
    readonly primary?: OrNone<boolean>;
    readonly chief?: OrNone<boolean>;
    readonly source_type?: OrNone<string>;
  }[];
  readonly user_id?: OrNone<string>;
  readonly password?: OrNone<string>;
}

/** A position of a body with its node resolved. It is complete: a field that is not there is empty. */
type PositionDraft = Omit<PositionRecord, 'id'>;

interface EmployeeDraft {
  readonly name: string;
  readonly positions: readonly PositionDraft[];
  /** Fields to set; `undefined` clears one. */
  readonly profile: JsonObject;
  readonly userId?: string | undefined;
  readonly password?: string | undefined;
}

const { name: _name, positions: _positions, ...PROFILE } = OPERATIONS.createEmployee.body.of.fields;
/** Fields that have a place of their own, or are used on creation and then forgotten. */
const NOT_KEPT: ReadonlySet<string> = new Set(['username', 'user_id', 'password', 'source_credentials']);
const PROFILE_FIELDS = Object.keys(PROFILE).filter((name) => !NOT_KEPT.has(name));
const PHONE_FIELDS: ReadonlySet<string> = new Set(['mobile', 'tel', 'fax', 'workPhone', 'otherPhone']);

/**
 * Reads a body. An import of somebody who is there already may clear what it leaves out, or add to what there is: the
 * readings `absent`, `positions` and `properties`.
 */
export function readEmployee(service: Service, body: EmployeeBody, imported?: EmployeeRecord): EmployeeDraft {
  const { readings } = service;
  if (body.name.trim() === '') throw invalid('name is required');
  const before = imported === undefined || readings.positions === 'replace' ? [] : imported.positions;
  return {
    name: readings.normalizes ? body.name.trim().replaceAll(/\s+/g, ' ') : body.name,
    positions: [...before, ...readPositions(service, body)],
    profile: readProfile(service, body as object as JsonObject, imported),
    userId: identifier(body.user_id),
    password: body.password ?? undefined,
  };
}

/** Returns the fields to keep. */
function readProfile({ readings }: Service, body: JsonObject, imported?: EmployeeRecord): JsonObject {
  const clears = imported !== undefined && readings.absent === 'clear';
  const names = PROFILE_FIELDS.filter((name) => body[name] !== undefined || clears);
  const kept = Object.fromEntries(
    names.map((name) => [name, isEmpty(body[name]) ? undefined : keptValue(name, body[name], readings)]),
  );
  const [before, sent] = [imported?.profile['properties'], kept['properties']];
  const isMerged = readings.properties === 'merge' && isList(before) && isList(sent);
  return {
    ...kept,
    ...displaced(kept, 'tags', 'tag_names'),
    ...displaced(kept, 'rank', 'employee_rank_name'),
    ...(isMerged ? { properties: merged(before, sent) } : {}),
  };
}

function keptValue(name: string, value: Json | undefined, { normalizes }: Readings): Json | undefined {
  const isPhone = normalizes && PHONE_FIELDS.has(name) && typeof value === 'string';
  return isPhone ? value.replaceAll(/[\s-]/g, '') : value;
}

/** `tags` and `rank` are read first: each of them replaces the field with its name, and the other way round. */
function displaced(kept: JsonObject, first: string, second: string): JsonObject {
  if (kept[first] !== undefined) return { [second]: undefined };
  return kept[second] === undefined ? {} : { [first]: undefined };
}

function isEmpty(value: Json | undefined): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

/** Returns properties merged by schema. */
function merged(before: readonly Json[], sent: readonly Json[]): Json {
  const properties = [...before, ...sent].filter(isObject);
  return [...new Map(properties.map((one) => [schemaOf(one), one])).values()];
}

/** Returns the schema of a property, which is a number or a text of digits. */
const schemaOf = ({ data_schema_id: id = '' }: JsonObject): string => writeJson(id).replaceAll('"', '');

function readPositions(service: Service, { positions }: EmployeeBody): readonly PositionDraft[] {
  const { organizations } = service.world;
  if (positions.length === 0 && service.readings.emptyPositions === 'refused')
    throw invalid('positions is required');
  return positions.map((item) => {
    const id = identifier(item.org_id);
    const path = item.org_path ?? '';
    const node = id === undefined ? organizations.byPath(path) : organizations.get(id);
    if (node === undefined) throw invalid(`organization ${id ?? path} of a position does not exist`);
    return {
      orgId: node.id,
      jobTitle: item.job_title || undefined,
      primary: item.primary === true,
      chief: item.chief === true,
      sourceType: item.source_type || undefined,
    };
  });
}

export function addEmployee(service: Service, username: string, draft: EmployeeDraft): EmployeeRecord {
  const user = linkUser(service, username, draft);
  const created = service.now();
  const known = { id: service.newId(), userId: user.id, username: user.username, locked: false };
  const empty = { ...known, name: '', positions: [], profile: {}, created, refreshed: created };
  return changeEmployee(service, empty, draft);
}

/**
 * Replaces the positions as a set; of the other fields only those in the body (interface: Modify employee).
 */
export function changeEmployee(
  service: Service,
  employee: EmployeeRecord,
  { name, positions, profile }: EmployeeDraft,
): EmployeeRecord {
  const changed = {
    ...employee,
    name,
    positions: placed(service, employee.positions, positions),
    profile: { ...employee.profile, ...profile },
    refreshed: service.now(),
  };
  const { mobile: phone, email, gender, birthday, id_card: idCard } = changed.profile;
  const shown = { name, phone, email, gender, birthday, idCard } as Partial<UserRecord>;
  changeUser(service, employee, shown);
  return service.world.employees.put(changed);
}

export function setLocked(service: Service, employee: EmployeeRecord, locked: boolean): EmployeeRecord {
  changeUser(service, employee, { disabled: locked });
  return service.world.employees.put({ ...employee, locked, refreshed: service.now() });
}

/**
 * Removes an employee. The user stays where usersRemain is on: an account of the domain is more than an
 * employee of one organization.
 */
export function removeEmployee({ world, readings }: Service, { id, userId }: EmployeeRecord): void {
  world.employees.remove(id);
  if (!readings.usersRemain) world.users.remove(userId);
}

/** Returns one position per node, the last one of a body; a node that stays keeps its position id. */
function placed(
  service: Service,
  before: readonly PositionRecord[],
  drafts: readonly PositionDraft[],
): readonly PositionRecord[] {
  const idOf = new Map(before.map((position) => [position.orgId, position.id]));
  const byNode = new Map(drafts.map((draft) => [draft.orgId, draft]));
  return Array.from(byNode.values(), (draft) => ({
    ...draft,
    id: idOf.get(draft.orgId) ?? service.newId(),
  }));
}

/** Returns the user of a new employee: the named one, the one with that username, or a new one. */
function linkUser(service: Service, username: string, { name, userId, password }: EmployeeDraft): UserRecord {
  const { users } = service.world;
  const named = users.byUsername(username);
  if (userId !== undefined && users.get(userId) === undefined) throw invalid(`user ${userId} does not exist`);
  if (userId !== undefined && userId !== named?.id)
    throw new Refused('conflict', `user ${userId} has another username`);
  if (named !== undefined) return users.put({ ...named, disabled: false });
  const [id, created] = [service.newId(), service.now()];
  const passwordDigest =
    password === undefined ? undefined : createHash('sha256').update(password).digest('hex');
  return users.put({ id, username, name, passwordDigest, disabled: false, created, refreshed: created });
}

/** Copies to the user what it shows of its employee. */
function changeUser(
  { world, readings, now }: Service,
  { userId }: EmployeeRecord,
  changes: Partial<UserRecord>,
): void {
  const user = world.users.get(userId);
  if (user === undefined) return;
  world.users.put({ ...user, ...changes, refreshed: readings.usersRefreshBlind ? user.refreshed : now() });
}
