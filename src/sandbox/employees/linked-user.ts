import { createHash } from 'node:crypto';
import type { EmployeeDraft } from './employee-draft.ts';
import type { EmployeeRecord, UserRecord } from '../world/records.ts';
import { conflict, invalid } from '../operation/refused.ts';
import type { Service } from '../operation/service.ts';
import type { WireValue } from '../wire/wire-value.ts';

/** Returns the user of a new employee: the named one, the one with that username, or a new one. */
export function linkUser(service: Service, username: string, draft: EmployeeDraft): UserRecord {
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
export function reflectEmployee(service: Service, employee: EmployeeRecord): void {
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

export function lockUser(service: Service, employee: EmployeeRecord, disabled: boolean): void {
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
