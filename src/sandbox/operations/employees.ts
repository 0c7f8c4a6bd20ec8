import type { MembersOf } from '../../interface/field.ts';
import type { JsonObject } from '../../interface/json.ts';
import { EMPLOYEES } from '../../interface/operations/employees.ts';
import { addEmployee, changeEmployee, readEmployee, removeEmployee, setLocked } from './employee-changes.ts';
import { invalid, Refused, type Request, type Service, type Work } from './operation.ts';
import { nodeById } from './organizations.ts';
import { commaList, importEach, pinyin, requireAtMost } from './request.ts';
import { employeeResult, shownEmployee } from './shapes.ts';
import { sisterUsers } from './users.ts';
import type { EmployeeRecord } from '../world/records.ts';

const ITEM = EMPLOYEES.importEmployees.body.of.of;

/** Interface: Employees. The result of leave, reinstate and delete is not shown: null. */
export const employeeWork: Work<keyof typeof EMPLOYEES> = {
  // Lists locked ones too, as `locked` says. The list is not paged.
  listEmployees: (service, { query }) => {
    const { forgetful, hidesLocked } = service.readings;
    if (forgetful) return [];
    const found = query.matching === true ? matching(service, query) : fuzzy(service, query);
    const shown = found.filter(({ locked }) => !(locked && hidesLocked));
    const ours = shown.map((employee) => shownEmployee(service, employee));
    return [...sisterEmployees(service, commaList(query.query)), ...ours];
  },
  getEmployee: (service, { params }) => {
    if (service.readings.forgetful) throw new Refused('noEmployee');
    return employeeResult(service, employeeById(service, params.employeeId));
  },
  createEmployee: (service, { body }) => {
    const { username } = body;
    const draft = readEmployee(service, body);
    if (service.world.employees.byUsername(username))
      throw new Refused('conflict', `username ${username} already exists`);
    return employeeResult(service, addEmployee(service, username, draft));
  },
  modifyEmployee: (service, { params, body }) => {
    const employee = employeeById(service, params.employeeId);
    const draft = readEmployee(service, body);
    const before = service.readings.positions === 'stay' ? employee.positions : [];
    const changed = { ...draft, positions: [...before, ...draft.positions] };
    return employeeResult(service, changeEmployee(service, employee, changed));
  },
  disableEmployee: (service, { params }) => switchLock(service, params.employeeId, true),
  enableEmployee: (service, { params }) => switchLock(service, params.employeeId, false),
  deleteEmployee: (service, { params }) => {
    removeEmployee(service, employeeById(service, params.employeeId));
    return null;
  },
  // Outcomes are keyed by the user name as it was sent; the identifier is a number.
  importEmployees: (service, { body }) =>
    importEach(service, ITEM, body, {
      take: (item) => {
        const employee = importOne(service, item);
        const id = service.readings.importIds === 'user' ? employee.userId : employee.id;
        return [item.username, BigInt(id)];
      },
      keyOf: ({ username }) =>
        typeof username === 'string' && username.trim() !== '' ? username : undefined,
    }),
};

/** Number of calls for each account that did nothing (lockIgnored). */
const ignored = new WeakMap<Service['world'], Map<string, number>>();

function switchLock(service: Service, id: string, locked: boolean): null {
  const employee = employeeById(service, id);
  const calls = ignored.get(service.world) ?? new Map<string, number>();
  ignored.set(service.world, calls);
  const before = calls.get(id) ?? 0;
  if (before >= service.readings.lockIgnored) setLocked(service, employee, locked);
  else calls.set(id, before + 1);
  return null;
}

function employeeById({ world }: Service, id: string): EmployeeRecord {
  const employee = world.employees.get(id);
  if (employee === undefined) throw new Refused('noEmployee');
  return employee;
}

/**
 * Adds, updates or removes an employee: "default add/update; REMOVE deletes the employee". How the default is spelled
 * is not shown.
 */
function importOne(service: Service, item: MembersOf<typeof ITEM>): EmployeeRecord {
  const { username, ops } = item;
  if (ops && ops !== 'REMOVE') throw invalid('ops is neither empty nor REMOVE');
  const existing = service.world.employees.byUsername(username);
  if (ops === 'REMOVE') {
    if (existing === undefined) throw new Refused('noEmployee');
    removeEmployee(service, existing);
    return existing;
  }
  const draft = readEmployee(service, item, existing);
  if (existing === undefined) return addEmployee(service, username, draft);
  const changed = changeEmployee(service, existing, draft);
  return changed.locked && service.readings.importEnables ? setLocked(service, changed, false) : changed;
}

type Query = Request<'listEmployees'>['query'];

/** Returns employees for "true = query is a comma-separated list interpreted per type". */
function matching(service: Service, query: Query): readonly EmployeeRecord[] {
  const { employees } = service.world;
  const { maxNames, namesRead } = service.readings;
  const keys = commaList(query.query);
  requireAtMost(maxNames, keys.length, 'the number of names');
  const found = keys
    .slice(0, namesRead || keys.length)
    .map((key) => (query.type === 'username' ? employees.byUsername(key) : byId(service, key)));
  const scope = scopeOf(service, query);
  const listed = [...new Set(found.filter((employee) => employee !== undefined))];
  if (scope === undefined) return listed;
  const within = new Set(scope);
  return listed.filter((employee) => within.has(employee));
}

/** Returns the employee whom an id of the list's question means. */
function byId({ readings, world }: Service, id: string): EmployeeRecord | undefined {
  if (readings.idsAskFor === 'nobody') return undefined;
  if (readings.idsAskFor === 'employees') return world.employees.get(id);
  return Array.from(world.employees.all()).find(({ userId }) => userId === id);
}

/** Returns employees for "false = fuzzy search within the organization": those that contain the query, or all. */
function fuzzy(service: Service, query: Query): readonly EmployeeRecord[] {
  const part = (query.query ?? '').toLowerCase();
  const candidates = scopeOf(service, query) ?? Array.from(service.world.employees.all());
  return candidates.filter(({ name, username }) =>
    [name.toLowerCase(), username.toLowerCase(), pinyin(name)].some((text) => text.includes(part)),
  );
}

/**
 * Returns the people whom `path`, or `org_id` with `recursion` (seen only in samples), lets through; `undefined`
 * for all. A path is a filter, so one that leads nowhere finds no employee; an id that does not exist is refused.
 */
function scopeOf(
  service: Service,
  { path, org_id: orgId, recursion }: Query,
): readonly EmployeeRecord[] | undefined {
  const { employees, organizations } = service.world;
  if (path !== undefined) return employees.below(organizations.byPath(path)?.id ?? '');
  if (orgId === undefined) return undefined;
  const { id } = nodeById(service, orgId);
  return recursion === true ? employees.below(id) : employees.membersOf(id);
}

/**
 * Returns people of another organization for every question. Half of them have usernames that were asked for, as far
 * as there are some.
 */
function sisterEmployees(service: Service, usernames: readonly string[]): readonly JsonObject[] {
  return sisterUsers(service).map((user, number) => {
    const username = (number % 2 === 0 ? usernames[number] : undefined) ?? user.username;
    const unset = { userId: user.id, locked: false, positions: [], profile: {} };
    return { ...shownEmployee(service, { ...user, ...unset, username }), org_code: 'sister' };
  });
}
