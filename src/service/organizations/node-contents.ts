import { AmbiguousError } from '../../domain/errors.ts';
import type { NodeContents } from '../../domain/ports/service.ts';
import type { Client } from '../calls/client.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import type { Scope } from '../calls/scope.ts';
import { parentOf } from '../wire/decode-organization.ts';
import { countOrNull, isObject, listOf, textOrNull, type WireObject } from '../wire/decode.ts';

/** Number of employees asked for, enough to name some. */
const SHOWN = 20;

interface NodeOf {
  readonly client: Client;
  readonly scope: Scope;
  readonly id: string;
}

/**
 * Looks into a node (interface, Organizations: View). The interface does not show where in the answer the
 * node stands, or whether empty lists are left out: the node is looked for at any depth, and where nothing is
 * said about its children, "List all" is asked. Throws an AmbiguousError where the answer does not show
 * whether the node is empty.
 */
export async function lookInto(place: NodeOf, signal: AbortSignal): Promise<NodeContents> {
  const nodes = flatten(await askForNodes(place, VIEW_ROW, VIEW, signal));
  const node = nodes.find((candidate) => textOrNull(candidate['id']) === place.id);
  if (node === undefined) throw new AmbiguousError(`The view of organization ${place.id} does not hold it.`);
  const shown = Array.isArray(node['children']) || nodes.some((other) => isChild(other, place.id));
  const around = shown ? nodes : flatten(await askForNodes(place, LIST_ROW, {}, signal));
  const children = childrenOf(node, place.id, around);
  const employees = employeesOf(node, children.length > 0);
  return { children, employees, more: children.length === SHOWN || employees.length === SHOWN };
}

const { viewOrganization: VIEW_ROW, listOrganizations: LIST_ROW } = OPERATIONS;

const VIEW = {
  counting: 'true',
  employee_skip: '0',
  employee_limit: String(SHOWN),
  org_skip: '0',
  org_limit: String(SHOWN),
};

function decodeNodes(result: unknown): readonly unknown[] {
  return listOf(result, 'the list of organizations');
}

function askForNodes(
  { client, scope, id }: NodeOf,
  row: typeof VIEW_ROW | typeof LIST_ROW,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const at = endpoint(row, { code: scope.orgCode });
  return client.call(
    { ...at, query: { domain_id: scope.domainId, org_id: id, ...query }, decode: decodeNodes },
    signal,
  );
}

function flatten(values: unknown): readonly WireObject[] {
  if (!Array.isArray(values)) return [];
  return values.filter(isObject).flatMap((node) => [node, ...flatten(node['children'])]);
}

function isChild(node: WireObject, parentId: string): boolean {
  const id = textOrNull(node['id']);
  return id !== null && parentOf(node, id) === parentId;
}

function childrenOf(node: WireObject, id: string, around: readonly WireObject[]): readonly string[] {
  const nested = Array.isArray(node['children']) ? node['children'].filter(isObject) : [];
  const beside = around.filter((other) => isChild(other, id));
  return [...new Set([...nested, ...beside].map((child) => textOrNull(child['id']) ?? '(no id)'))];
}

/**
 * Returns usernames, and `(3 more)`: the list ends after a few and may leave out locked employees, the counts
 * may not. The count that includes everything below is used only where nothing is below.
 */
function employeesOf(node: WireObject, hasChildren: boolean): readonly string[] {
  const named = Array.isArray(node['employees']) ? node['employees'].map(employeeName) : null;
  const below = hasChildren ? null : countOrNull(node['all_employee_count']);
  const counts = [countOrNull(node['employee_count']), below].filter((count) => count !== null);
  if (named === null && counts.length === 0) {
    throw new AmbiguousError('The view of an organization shows neither employees nor their number.');
  }
  const unnamed = Math.max(0, ...counts) - (named?.length ?? 0);
  return unnamed > 0 ? [...(named ?? []), `(${unnamed} more)`] : (named ?? []);
}

function employeeName(employee: unknown): string {
  if (!isObject(employee)) return '(unnamed)';
  return (
    textOrNull(employee['username']) ??
    textOrNull(employee['name']) ??
    textOrNull(employee['id']) ??
    '(unnamed)'
  );
}
