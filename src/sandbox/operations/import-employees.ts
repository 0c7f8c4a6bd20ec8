import { PROFILE_FIELDS, readEmployee, type EmployeeDraft } from './employee-draft.ts';
import { addEmployee, changeEmployee, removeEmployee, setLocked } from './employee-writes.ts';
import { invalid, noEmployee, type Operation, type Service } from './operation.ts';
import { identifier, importItems, requiredField, requiredList, requiredObject } from './request-parts.ts';
import { requireItem } from './strict.ts';
import type { EmployeeRecord } from '../world/records.ts';
import { isList, isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/**
 * Imports employees (interface: Import employees). Outcomes are keyed by the user name as it was sent; the
 * identifier is a number.
 */
export const importEmployees: Operation = (service, request) =>
  importItems(service, requiredList(request.body), {
    keyOf: failureKey,
    take: (item) => {
      const body = requiredObject(item);
      requireItem('importEmployees', item, service.lenient);
      const username = requiredField(body, 'username');
      const employee = takeOne(service, username, body);
      const id = service.readings.importIds === 'user' ? employee.userId : employee.id;
      return { key: username, value: BigInt(id) };
    },
  });

function failureKey(item: WireValue, index: number): string {
  const username = isObject(item) ? item['username'] : undefined;
  return typeof username === 'string' && username.trim() !== '' ? username : `[${index}]`;
}

function takeOne(service: Service, username: string, body: WireObject): EmployeeRecord {
  const existing = service.world.employees.byUsername(username);
  if (isRemoval(body)) return removeOne(service, existing);
  const draft = readEmployee(service, body);
  return existing === undefined
    ? addEmployee(service, username, draft)
    : updateOne(service, existing, importDraft(service, existing, draft));
}

/**
 * Returns whether ops is REMOVE: "default add/update; REMOVE deletes the employee". How the default is
 * spelled is not shown.
 */
function isRemoval(body: WireObject): boolean {
  const ops = body['ops'] ?? '';
  if (ops !== '' && ops !== 'REMOVE') throw invalid('ops is neither empty nor REMOVE');
  return ops === 'REMOVE';
}

function removeOne(service: Service, existing: EmployeeRecord | undefined): EmployeeRecord {
  if (existing === undefined) throw noEmployee();
  removeEmployee(service, existing);
  return existing;
}

function updateOne(service: Service, existing: EmployeeRecord, draft: EmployeeDraft): EmployeeRecord {
  const changed = changeEmployee(service, existing, draft);
  return changed.locked && service.readings.importEnables ? setLocked(service, changed, false) : changed;
}

/**
 * Returns the draft with what the import leaves out: two readings turn that from "stays" into "goes", and the
 * other way round.
 */
function importDraft(service: Service, existing: EmployeeRecord, draft: EmployeeDraft): EmployeeDraft {
  const clears = service.readings.absent === 'clear';
  const cleared = clears ? PROFILE_FIELDS.map((name) => [name, undefined] as const) : [];
  const merges = service.readings.positions !== 'replace';
  return {
    ...draft,
    profile: new Map([...cleared, ...draft.profile, ...mergedProperties(service, existing, draft)]),
    positions: merges ? [...existing.positions, ...draft.positions] : draft.positions,
  };
}

/** Returns properties merged by schema, where the reading says so; an empty list of values removes one. */
function mergedProperties(
  { readings }: Service,
  { profile }: EmployeeRecord,
  draft: EmployeeDraft,
): readonly (readonly [string, WireValue])[] {
  const [before, sent] = [profile['properties'], draft.profile.get('properties')];
  if (readings.properties === 'replace' || !isList(before) || !isList(sent)) return [];
  const byId = new Map(
    [...before, ...sent].filter(isObject).map((one) => [identifier(one['data_schema_id']), one]),
  );
  return [['properties', [...byId.values()]]];
}
