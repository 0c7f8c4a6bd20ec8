import type {
  Glance,
  NodeContents,
  Organization,
  OrganizationBody,
  OrganizationImportAnswer,
  Page,
} from '../../domain/ports/service.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { withStop } from '../../domain/text/printable.ts';
import { isObject } from '../../interface/json.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import { endpoint, type Scope } from '../calls/call.ts';
import { valueOrNone, type Client } from '../calls/client.ts';
import { AbsenceCodes } from './absence-codes.ts';
import { decodePage, glanceAt, pages, type PagedCall, type PageReader } from './pages.ts';
import { decodeOrganization, decodeRoot, parentOf } from '../wire/decode-organization.ts';
import { countOrNull, decodeImport, listOf, textOrNull, type WireObject } from '../wire/decode.ts';
import { encodeModification, encodeOrganization, encodeOrganizations } from '../wire/encode-body.ts';
import { serviceProblem, unclearView } from '../wire/problems.ts';

const ORGANIZATIONS = {
  decode: decodePage('records', decodeOrganization),
  idOf: ({ id }: Organization): string => id,
};
/** Refusals of "delete organization node"; the statuses have this meaning only there (interface, Errors). */
const NO_SUCH_ORGANIZATION = 208502;
const DELETE_REFUSALS = { [NO_SUCH_ORGANIZATION]: 'noSuchOrganization', 208507: 'hasEmployees' } as const;

const orNull = (result: unknown): Organization | null =>
  result === null || result === undefined ? null : decodeOrganization(result);
const ignore = (): void => undefined;

/** Operations of the interface, Organizations. */
export class Organizations {
  readonly #client: Client;
  readonly #reader: PageReader;
  readonly #scope: Scope;
  readonly #ids: AbsenceCodes;
  /** The organization's code, by both of its names in paths. */
  readonly #code: { readonly code: string; readonly org_code: string };

  constructor(reader: PageReader, scope: Scope) {
    this.#client = reader.client;
    this.#reader = reader;
    this.#scope = scope;
    this.#code = { code: scope.orgCode, org_code: scope.orgCode };
    this.#ids = new AbsenceCodes(reader.client, NO_SUCH_ORGANIZATION, (id) =>
      endpoint(OPERATIONS.getOrganization, { ...this.#code, id }),
    );
  }

  /** Returns the root. Throws a ServiceError if the answering organization is not the configured one. */
  async root(signal: AbortSignal): Promise<Organization> {
    const reply = await this.#client.tryCall(
      { ...endpoint(OPERATIONS.organizationInfo, this.#code), decode: decodeRoot },
      signal,
    );
    if (!reply.ok)
      throw serviceProblem(
        'service-no-root',
        { reason: withStop(reply.refusal.message) },
        { cause: reply.refusal },
      );
    const { root, orgCode, domainId } = reply.value;
    const isOurs =
      (orgCode ?? this.#scope.orgCode) === this.#scope.orgCode &&
      (domainId ?? this.#scope.domainId) === this.#scope.domainId;
    if (isOurs) return root;
    throw serviceProblem('service-other-root', {
      found: `${orgCode} of domain ${domainId}`,
      asked: `${this.#scope.orgCode} of ${this.#scope.domainId}`,
    });
  }

  list(since: number | null, signal: AbortSignal): AsyncIterable<Page<Organization>> {
    return pages(this.#reader, this.#since(since), ORGANIZATIONS, signal);
  }

  /** Asks for the first node of the list alone. */
  glance(since: number | null, signal: AbortSignal): Promise<Glance> {
    return glanceAt(this.#client, this.#since(since), ORGANIZATIONS, signal);
  }

  #since(since: number | null): PagedCall {
    const refresh = since === null ? {} : { refresh_time: String(since) };
    const query = { domain_id: this.#scope.domainId, ...refresh };
    return { ...endpoint(OPERATIONS.pageOrganizations, this.#code), query };
  }

  /** Returns the node; `null`: the service says that there is none. Throws a RefusedError that does not clearly say so. */
  async byId(id: string, signal: AbortSignal): Promise<Organization | null> {
    const node = await this.#ids.ask(id, orNull, signal);
    if (node === null || node.id === id) return node;
    throw serviceProblem('service-other-record', { kind: 'organization', found: node.id, asked: id });
  }

  /** Returns the node with this serial number; an answer that shows another serial number does not count. */
  async bySerial(serialNo: string, signal: AbortSignal): Promise<Organization | null> {
    if (serialNo === '') return null;
    const query = { domain_id: this.#scope.domainId };
    const at = endpoint(OPERATIONS.organizationBySerial, { ...this.#code, serialNo });
    const node = valueOrNone(await this.#client.tryCall({ ...at, query, decode: orNull }, signal));
    return node === null || (node.serialNo ?? serialNo) !== serialNo ? null : node;
  }

  contents(id: string, signal: AbortSignal): Promise<NodeContents> {
    return readContents({ client: this.#client, scope: this.#scope, id }, signal);
  }

  import(bodies: readonly OrganizationBody[], signal: AbortSignal): Promise<OrganizationImportAnswer> {
    const body = encodeOrganizations(bodies);
    const call = { ...endpoint(OPERATIONS.importOrganizations, this.#code), body, items: bodies.length };
    return this.#client.call({ ...call, decode: decodeImport }, signal);
  }

  /** Creates one node (interface, Create node): the answer does not show it. */
  create(body: OrganizationBody, signal: AbortSignal): Promise<void> {
    const call = { ...endpoint(OPERATIONS.createOrganization, this.#code), body: encodeOrganization(body) };
    return this.#client.call({ ...call, decode: ignore }, signal);
  }

  modify(id: string, fields: Fields, signal: AbortSignal): Promise<void> {
    const body = encodeModification(fields);
    const at = endpoint(OPERATIONS.modifyOrganization, { ...this.#code, id });
    return this.#client.call({ ...at, body, decode: ignore }, signal);
  }

  delete(id: string, signal: AbortSignal): Promise<void> {
    const at = endpoint(OPERATIONS.deleteOrganization, { ...this.#code, id });
    return this.#client.call({ ...at, refusals: DELETE_REFUSALS, decode: ignore }, signal);
  }
}

/** Number of employees asked for, enough to name some. */
const SHOWN = 20;

interface NodeOf {
  readonly client: Client;
  readonly scope: Scope;
  readonly id: string;
}

/**
 * Looks into a node (interface, Organizations: View). The interface does not show where in the answer the
 * node stands, or whether empty lists are left out: the node is looked for at any depth, and if nothing is
 * said about its children, "List all" is asked. Throws an AmbiguousError if the answer does not show
 * whether the node is empty.
 */
async function readContents(target: NodeOf, signal: AbortSignal): Promise<NodeContents> {
  const nodes = flatten(await askForNodes(target, VIEW_ROW, VIEW, signal));
  const node = nodes.find((candidate) => textOrNull(candidate['id']) === target.id);
  if (node === undefined) throw unclearView('service-view-without-node', { id: target.id });
  const shown = Array.isArray(node['children']) || nodes.some((other) => isChild(other, target.id));
  const around = shown ? nodes : flatten(await askForNodes(target, LIST_ROW, {}, signal));
  const children = childrenOf(node, target.id, around);
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
  const listed = around.filter((other) => isChild(other, id));
  return [...new Set([...nested, ...listed].map((child) => textOrNull(child['id']) ?? '(no id)'))];
}

/**
 * Returns usernames, and `(3 more)`: the list ends after a few and may leave out locked employees, the counts
 * may not. The count that includes everything below is used only if nothing is below.
 */
function employeesOf(node: WireObject, hasChildren: boolean): readonly string[] {
  const named = Array.isArray(node['employees']) ? node['employees'].map(employeeName) : null;
  const below = hasChildren ? null : countOrNull(node['all_employee_count']);
  const counts = [countOrNull(node['employee_count']), below].filter((count) => count !== null);
  if (named === null && counts.length === 0) {
    throw unclearView('service-view-without-count', {});
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
