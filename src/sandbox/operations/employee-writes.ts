import { createHash } from 'node:crypto';
import { PROFILE_FIELDS, readEmployee, type EmployeeDraft, type PositionDraft } from './employee-draft.ts';
import { employeeResultShape } from './employee-shapes.ts';
import { conflict, invalid, noEmployee, type Operation, type Request, type Service } from './operation.ts';
import { requiredField, requiredObject } from './request-parts.ts';
import type { EmployeeRecord, PositionRecord, UserRecord } from '../world/records.ts';
import type { WireValue } from '../world/wire-value.ts';

/* Interface: Employees, the operations that change one. The result of leave, reinstate and delete is not shown: null. */

export const createEmployee: Operation = (service, request) => {
  const body = requiredObject(request.body);
  const username = requiredField(body, 'username');
  const draft = readEmployee(service, body);
  if (service.world.employees.byUsername(username)) throw conflict(`username ${username} already exists`);
  return employeeResultShape(service, addEmployee(service, username, draft));
};

export const modifyEmployee: Operation = (service, request) => {
  const employee = employeeById(service, request.params['employeeId']);
  const draft = readEmployee(service, requiredObject(request.body), PROFILE_FIELDS);
  const before = service.readings.positions === 'stay' ? employee.positions : [];
  const changed = { ...draft, positions: [...before, ...draft.positions] };
  return employeeResultShape(service, changeEmployee(service, employee, changed));
};

export const leave: Operation = (service, request) => switchLock(service, request, true);

export const reinstate: Operation = (service, request) => switchLock(service, request, false);

/** Number of calls for each account that did nothing (lockIgnored). */
const ignored = new WeakMap<Service['world'], Map<string, number>>();

function switchLock(service: Service, request: Request, locked: boolean): null {
  const employee = employeeById(service, request.params['employeeId']);
  const calls = ignored.get(service.world) ?? new Map<string, number>();
  ignored.set(service.world, calls);
  const before = calls.get(employee.id) ?? 0;
  if (before >= service.readings.lockIgnored) setLocked(service, employee, locked);
  else calls.set(employee.id, before + 1);
  return null;
}

export const deleteEmployee: Operation = (service, request) => {
  removeEmployee(service, employeeById(service, request.params['employeeId']));
  return null;
};

export function employeeById(service: Service, id: string | undefined): EmployeeRecord {
  const employee = service.world.employees.get(id ?? '');
  if (employee === undefined) throw noEmployee();
  return employee;
}

export function addEmployee(service: Service, username: string, draft: EmployeeDraft): EmployeeRecord {
  const user = linkUser(service, username, draft);
  const created = service.now();
  const employee: EmployeeRecord = {
    id: service.ids.take(),
    userId: user.id,
    username: user.username,
    name: draft.name,
    locked: false,
    positions: placed(service, [], draft.positions),
    profile: Object.fromEntries(draft.profile),
    created,
    refreshed: created,
  };
  reflectEmployee(service, employee);
  return service.world.employees.put(employee);
}

/**
 * Replaces the positions as a set; of the other fields only those in the body (interface: Modify employee).
 */
export function changeEmployee(
  service: Service,
  employee: EmployeeRecord,
  draft: EmployeeDraft,
): EmployeeRecord {
  const changed = {
    ...employee,
    name: draft.name,
    positions: placed(service, employee.positions, draft.positions),
    profile: { ...employee.profile, ...Object.fromEntries(draft.profile) },
    refreshed: service.now(),
  };
  reflectEmployee(service, changed);
  return service.world.employees.put(changed);
}

export function setLocked(service: Service, employee: EmployeeRecord, locked: boolean): EmployeeRecord {
  lockUser(service, employee, locked);
  return service.world.employees.put({ ...employee, locked, refreshed: service.now() });
}

/**
 * Removes an employee. The user stays where usersRemain is on: an account of the domain is more than an
 * employee of one organization.
 */
export function removeEmployee(service: Service, employee: EmployeeRecord): void {
  service.world.employees.remove(employee.id);
  if (!service.readings.usersRemain) service.world.users.remove(employee.userId);
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
    id: idOf.get(draft.orgId) ?? service.ids.take(),
  }));
}

/** Returns the user of a new employee: the named one, the one with that username, or a new one. */
function linkUser(service: Service, username: string, draft: EmployeeDraft): UserRecord {
  const known = knownUser(service, username, draft.userId);
  if (known !== undefined) return service.world.users.put({ ...known, disabled: false });
  const created = service.now();
  return service.world.users.put({
    id: service.ids.take(),
    username,
    name: draft.name,
    passwordDigest: digest(draft.password),
    disabled: false,
    created,
    refreshed: created,
  });
}

function knownUser(service: Service, username: string, userId: string | undefined): UserRecord | undefined {
  const { users } = service.world;
  const named = users.byUsername(username);
  if (userId === undefined) return named;
  const user = users.get(userId);
  if (user === undefined) throw invalid(`user ${userId} does not exist`);
  if (user.id !== named?.id) throw conflict(`user ${userId} has another username`);
  return user;
}

/** Copies to the user what it shows of its employee. */
function reflectEmployee(service: Service, employee: EmployeeRecord): void {
  const { profile } = employee;
  putUser(service, employee, {
    name: employee.name,
    phone: text(profile['mobile']),
    email: text(profile['email']),
    gender: text(profile['gender']),
    birthday: typeof profile['birthday'] === 'number' ? profile['birthday'] : undefined,
    idCard: text(profile['id_card']),
  });
}

function lockUser(service: Service, employee: EmployeeRecord, disabled: boolean): void {
  putUser(service, employee, { disabled });
}

function putUser(service: Service, employee: EmployeeRecord, changes: Partial<UserRecord>): void {
  const user = service.world.users.get(employee.userId);
  if (user === undefined) return;
  const refreshed = service.readings.usersRefreshBlind ? user.refreshed : service.now();
  service.world.users.put({ ...user, ...changes, refreshed });
}

function text(value: WireValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function digest(password: string | undefined): string | undefined {
  return password === undefined ? undefined : createHash('sha256').update(password).digest('hex');
}
