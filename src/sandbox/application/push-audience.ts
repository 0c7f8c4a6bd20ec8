import { LIMITS } from '../../interface/terms/limits.ts';
import { flag } from '../operation/query.ts';
import { invalid } from '../operation/refused.ts';
import type { Service } from '../operation/service.ts';
import type { UserRecord } from '../world/records.ts';
import { isList, type WireObject, type WireValue } from '../wire/wire-value.ts';

/** Whom a message reaches, and who of those that were named is not there. */
export interface Audience {
  readonly users: readonly UserRecord[];
  readonly includeUsernames: readonly string[];
  readonly excludeUsernames: readonly string[];
  readonly includeIds: readonly string[];
  readonly excludeIds: readonly string[];
}

/** Returns the audience of a push (interface: Message push, query and body); throws Refused. */
export function audienceOf(service: Service, query: URLSearchParams, body: WireObject): Audience {
  const ids = textsOf(body['client_ids']);
  const names =
    service.readings.clientsAndNames === 'ids' && ids.length > 0 ? [] : textsOf(body['usernames']);
  const scopes = textsOf(body['scopes']);
  const nobody = ids.length + names.length + scopes.length === 0;
  if (flag(query, 'direct', false)) requireDirect(new Set([...ids, ...names]).size, scopes);
  if (nobody && !flag(query, 'for_all', false))
    throw invalid('the message has no recipients, and for_all is not true');
  const { users } = service.world;
  const byId = ids.map((id) => users.get(id)).filter((user) => user !== undefined);
  const byName = names.map((name) => users.byUsername(name)).filter((user) => user !== undefined);
  const inScope = nobody
    ? usersBelow(service, service.world.organizations.root.id)
    : scopes.flatMap((path) => usersAt(service, path));
  return {
    users: [...new Set([...byId, ...byName, ...inScope])],
    includeUsernames: names.filter((name) => users.byUsername(name) !== undefined),
    excludeUsernames: names.filter((name) => users.byUsername(name) === undefined),
    includeIds: ids.filter((id) => users.get(id) !== undefined),
    excludeIds: ids.filter((id) => users.get(id) === undefined),
  };
}

function requireDirect(people: number, scopes: readonly string[]): void {
  if (scopes.length > 0) throw invalid('direct does not support scopes');
  const { directPeople } = LIMITS;
  if (people > directPeople) throw invalid(`direct reaches at most ${directPeople} people, not ${people}`);
}

function usersAt(service: Service, path: string): readonly UserRecord[] {
  const node = service.world.organizations.byPath(path);
  return node === undefined ? [] : usersBelow(service, node.id);
}

function usersBelow({ world }: Service, id: string): readonly UserRecord[] {
  const ids = world.organizations
    .subtree(id)
    .flatMap((node) => [...world.employees.everyone.members(node.id)]);
  return ids.flatMap((employeeId) => {
    const employee = world.employees.get(employeeId);
    const user = employee === undefined || employee.locked ? undefined : world.users.get(employee.userId);
    return user === undefined ? [] : [user];
  });
}

/** Returns the texts of a list; others are passed over. */
export function textsOf(list: WireValue | undefined): readonly string[] {
  return isList(list) ? list.filter((one) => typeof one === 'string') : [];
}
