import { employeeListShape } from './employee-list-shape.ts';
import { employeeResultShape } from './employee-result-shape.ts';
import { employeeById } from './employee-writes.ts';
import { sisterEmployees } from './sister-people.ts';
import { nodeById } from '../organizations/organization-reads.ts';
import { pinyin } from '../operation/pinyin.ts';
import { commaList, flag, requireAtMost } from '../operation/query.ts';
import type { EmployeeRecord } from '../world/records.ts';
import { invalid, noEmployee } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';

/* Interface: Employees, the operations that only look. */

export const getEmployee: Operation = (service, request) => {
  if (service.readings.forgetful) throw noEmployee();
  return employeeResultShape(service, employeeById(service, request.params['employeeId']));
};

/** Lists employees, also locked ones, as `locked` says. The list is not paged. */
export const listEmployees: Operation = (service, { query }) => {
  if (service.readings.forgetful) return [];
  const found = flag(query, 'matching', false) ? matching(service, query) : fuzzy(service, query);
  const shown = found.filter((employee) => !(employee.locked && service.readings.hidesLocked));
  const ours = shown.map((employee) => employeeListShape(service, employee));
  return [...sisterEmployees(service, commaList(query.get('query') ?? '')), ...ours];
};

/** Returns employees for "true = query is a comma-separated list interpreted per type". */
function matching(service: Service, query: URLSearchParams): readonly EmployeeRecord[] {
  const { employees } = service.world;
  const byUsername = typeOf(query) === 'username';
  const keys = commaList(query.get('query') ?? '');
  requireAtMost(service.readings.maxNames, keys.length, 'the number of names');
  const looked = keys.slice(0, service.readings.namesRead || keys.length);
  const found = looked.map((key) => (byUsername ? employees.byUsername(key) : employees.get(key)));
  const scope = scopeIds(service, query);
  const listed = new Set(found.filter((employee) => employee !== undefined));
  return [...listed].filter((employee) => scope === undefined || scope.has(employee.id));
}

/**
 * Returns employees for "false = fuzzy search within the organization": those that contain the query, or all
 * without one.
 */
function fuzzy(service: Service, query: URLSearchParams): readonly EmployeeRecord[] {
  typeOf(query);
  const part = (query.get('query') ?? '').toLowerCase();
  const scope = scopeIds(service, query);
  return candidates(service, scope).filter(
    ({ name, username }) =>
      name.toLowerCase().includes(part) ||
      username.toLowerCase().includes(part) ||
      pinyin(name).includes(part),
  );
}

function typeOf(query: URLSearchParams): string {
  const type = query.get('type') || 'id';
  if (type !== 'id' && type !== 'username') throw invalid('type is neither id nor username');
  return type;
}

function candidates(service: Service, scope: ReadonlySet<string> | undefined): readonly EmployeeRecord[] {
  const { employees } = service.world;
  if (scope === undefined) return Array.from(employees.all());
  return Array.from(scope, (id) => employees.get(id)).filter((employee) => employee !== undefined);
}

/**
 * Returns the ids that `path`, or `org_id` with `recursion` (seen only in samples), lets through; `undefined`
 * for all. A path is a filter, so one that leads nowhere finds nobody; an id that does not exist is refused.
 */
function scopeIds(service: Service, query: URLSearchParams): ReadonlySet<string> | undefined {
  const path = query.get('path') || undefined;
  const orgId = query.get('org_id') || undefined;
  if (path !== undefined) return below(service, service.world.organizations.byPath(path)?.id);
  if (orgId === undefined) return undefined;
  const { id } = nodeById(service, orgId);
  return flag(query, 'recursion', false) ? below(service, id) : service.world.employees.everyone.members(id);
}

function below(service: Service, id: string | undefined): ReadonlySet<string> {
  const { employees, organizations } = service.world;
  const nodes = id === undefined ? [] : organizations.subtree(id);
  return new Set(nodes.flatMap((node) => [...employees.everyone.members(node.id)]));
}
