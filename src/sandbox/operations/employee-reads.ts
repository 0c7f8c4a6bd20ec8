import { employeeById } from './employee-writes.ts';
import { employeeListShape, employeeResultShape } from './employee-shapes.ts';
import { noEmployee, type Operation, type Request, type Service } from './operation.ts';
import { nodeById, organizationShape, startNode, viewAdditions } from './organization-reads.ts';
import { capped, commaList, flagIn, numberIn, pinyin, requireAtMost } from './request-parts.ts';
import type { EmployeeRecord, OrganizationRecord, UserRecord } from '../world/records.ts';
import type { WireObject, WireValue } from '../world/wire-value.ts';

/* Interface: Employees, the operations that only look. */

export const getEmployee: Operation = (service, request) => {
  if (service.readings.forgetful) throw noEmployee();
  return employeeResultShape(service, employeeById(service, request.params['employeeId']));
};

/** Lists employees, also locked ones, as `locked` says. The list is not paged. */
export const listEmployees: Operation = (service, { query }) => {
  if (service.readings.forgetful) return [];
  const matches = flagIn(query, 'matching') ? matching(service, query) : fuzzy(service, query);
  const shown = matches.filter((employee) => !(employee.locked && service.readings.hidesLocked));
  const ours = shown.map((employee) => employeeListShape(service, employee));
  return [...sisterEmployees(service, commaList(query.get('query') ?? '')), ...ours];
};

/** Returns employees for "true = query is a comma-separated list interpreted per type". */
function matching(service: Service, query: URLSearchParams): readonly EmployeeRecord[] {
  const { employees } = service.world;
  const keys = commaList(query.get('query') ?? '');
  requireAtMost(service.readings.maxNames, keys.length, 'the number of names');
  const keysRead = keys.slice(0, service.readings.namesRead || keys.length);
  const found = keysRead.map((key) =>
    query.get('type') === 'username' ? employees.byUsername(key) : byId(service, key),
  );
  const scope = scopeIds(service, query);
  const listed = new Set(found.filter((employee) => employee !== undefined));
  return [...listed].filter((employee) => scope === undefined || scope.has(employee.id));
}

/** Returns the employee whom an id of the list's question means. */
function byId({ readings, world }: Service, id: string): EmployeeRecord | undefined {
  if (readings.idsAskFor === 'nobody') return undefined;
  if (readings.idsAskFor === 'employees') return world.employees.get(id);
  return Array.from(world.employees.all()).find(({ userId }) => userId === id);
}

/**
 * Returns employees for "false = fuzzy search within the organization": those that contain the query, or all
 * without one.
 */
function fuzzy(service: Service, query: URLSearchParams): readonly EmployeeRecord[] {
  const part = (query.get('query') ?? '').toLowerCase();
  const scope = scopeIds(service, query);
  return candidates(service, scope).filter(
    ({ name, username }) =>
      name.toLowerCase().includes(part) ||
      username.toLowerCase().includes(part) ||
      pinyin(name).includes(part),
  );
}

function candidates(service: Service, scope: ReadonlySet<string> | undefined): readonly EmployeeRecord[] {
  const { employees } = service.world;
  if (scope === undefined) return Array.from(employees.all());
  return Array.from(scope, (id) => employees.get(id)).filter((employee) => employee !== undefined);
}

/**
 * Returns the ids that `path`, or `org_id` with `recursion` (seen only in samples), lets through; `undefined`
 * for all. A path is a filter, so one that leads nowhere finds no employee; an id that does not exist is
 * refused.
 */
function scopeIds(service: Service, query: URLSearchParams): ReadonlySet<string> | undefined {
  const path = query.get('path') || undefined;
  const orgId = query.get('org_id') || undefined;
  if (path !== undefined) return below(service, service.world.organizations.byPath(path)?.id);
  if (orgId === undefined) return undefined;
  const { id } = nodeById(service, orgId);
  return flagIn(query, 'recursion') ? below(service, id) : service.world.employees.everyone.members(id);
}

function below(service: Service, id: string | undefined): ReadonlySet<string> {
  const { employees, organizations } = service.world;
  const nodes = id === undefined ? [] : organizations.subtree(id);
  return new Set(nodes.flatMap((node) => [...employees.everyone.members(node.id)]));
}

/** Answers with a list of one node, since the document says list and names one start. */
export const viewOrganization: Operation = (service, request) => {
  const node = startNode(service, request);
  const { all_employee_count: total, ...shape } = organizationShape(service, node);
  const counting = flagIn(request.query, 'counting', true) ? { all_employee_count: total } : {};
  const children = service.world.organizations.childrenOf(node.id);
  return [
    {
      ...shape,
      ...counting,
      ...viewAdditions(service, node),
      employees: slice(service, request, 'employee', memberShapes(service, node)),
      children: slice(
        service,
        request,
        'org',
        children.map((child) => organizationShape(service, child)),
      ),
    },
  ];
};

function memberShapes(service: Service, node: OrganizationRecord): readonly WireValue[] {
  const { employees } = service.world;
  const members = [...employees.everyone.members(node.id)].map((id) => employees.get(id));
  const listed = members.filter((employee) => employee !== undefined);
  const shown = listed.filter((employee) => !(employee.locked && service.readings.hidesLocked));
  return shown.map((employee) => employeeListShape(service, employee));
}

/**
 * Returns a slice of a list. No default is documented for the limits of `view`: without a limit all is shown.
 */
function slice(
  service: Service,
  { query }: Request,
  prefix: 'employee' | 'org',
  values: readonly WireValue[],
): readonly WireValue[] {
  const skip = numberIn(query, `${prefix}_skip`, 0);
  const limit = numberIn(query, `${prefix}_limit`, values.length);
  return values.slice(skip, skip + capped(limit, service.readings.pageCap));
}

/* People of another organization of the domain, whom lists return as well (reading `sister`). */

const FIRST_ID = 8_800_000_000_000_000_000n;

const numbers = ({ readings }: Service): readonly number[] => [
  ...Array.from({ length: readings.sister }).keys(),
];

/**
 * Returns such people for every question. Half of them have usernames that were asked for, as far as there
 * are some.
 */
function sisterEmployees(service: Service, usernames: readonly string[]): readonly WireObject[] {
  return sisterUsers(service).map((user, number) => {
    const username = (number % 2 === 0 ? usernames[number] : undefined) ?? user.username;
    const shape = employeeListShape(service, {
      ...user,
      username,
      userId: user.id,
      locked: false,
      positions: [],
      profile: {},
    });
    return { ...shape, org_code: 'sister' };
  });
}

export function sisterUsers(service: Service): readonly UserRecord[] {
  return numbers(service).map((number) => ({
    id: String(FIRST_ID + BigInt(number)),
    username: `sister${number}`,
    name: `Sister ${number}`,
    disabled: false,
    created: 0,
    refreshed: 0,
  }));
}
