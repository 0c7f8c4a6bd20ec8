import { ServiceError } from '../../domain/errors.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { withStop } from '../../domain/text/full-stop.ts';
import type {
  Glance,
  NodeContents,
  Organization,
  OrganizationBody,
  OrganizationImportAnswer,
  Page,
} from '../../domain/ports/service.ts';
import type { Client } from '../calls/client.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import { lookInto } from './node-contents.ts';
import { decodePage, glanceAt, pages, type PagedCall, type PageReader } from '../lists/pages.ts';
import type { Scope } from '../calls/scope.ts';
import { valueOrNone } from './value-or-none.ts';
import { decodeImport } from '../wire/decode-import.ts';
import { decodeOrganization, decodeRoot } from '../wire/decode-organization.ts';
import { encodeModification, encodeOrganization, encodeOrganizations } from '../wire/encode-body.ts';

const ORGANIZATIONS = {
  decode: decodePage('records', decodeOrganization),
  idOf: ({ id }: Organization): string => id,
};
/** Refusals of "delete organization node"; the statuses have this meaning only there (interface, Errors). */
const DELETE_REFUSALS = { 208502: 'noSuchOrganization', 208507: 'hasEmployees' } as const;

const orNull = (result: unknown): Organization | null =>
  result === null || result === undefined ? null : decodeOrganization(result);
const nothing = (): void => undefined;

/** Operations of the interface, Organizations. */
export class Organizations {
  readonly #client: Client;
  readonly #reader: PageReader;
  readonly #scope: Scope;
  /** The organization's code, by both of its names in paths. */
  readonly #code: { readonly code: string; readonly org_code: string };

  constructor(reader: PageReader, scope: Scope) {
    this.#client = reader.client;
    this.#reader = reader;
    this.#scope = scope;
    this.#code = { code: scope.orgCode, org_code: scope.orgCode };
  }

  /** Returns the root. Throws a ServiceError where the answering organization is not the configured one. */
  async root(signal: AbortSignal): Promise<Organization> {
    const reply = await this.#client.ask(
      { ...endpoint(OPERATIONS.organizationInfo, this.#code), decode: decodeRoot },
      signal,
    );
    if (!reply.ok)
      throw new ServiceError(`${withStop(reply.refusal.message)} ${CHECK_SCOPE}`, { cause: reply.refusal });
    const { root, orgCode, domainId } = reply.value;
    const isOurs =
      (orgCode ?? this.#scope.orgCode) === this.#scope.orgCode &&
      (domainId ?? this.#scope.domainId) === this.#scope.domainId;
    if (isOurs) return root;
    throw new ServiceError(
      `The service answers with organization ${orgCode} of domain ${domainId} when asked for ` +
        `${this.#scope.orgCode} of ${this.#scope.domainId}. ${CHECK_SCOPE}`,
    );
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

  async byId(id: string, signal: AbortSignal): Promise<Organization | null> {
    const at = endpoint(OPERATIONS.getOrganization, { ...this.#code, id });
    const reply = await this.#client.ask({ ...at, decode: orNull }, signal);
    const node = valueOrNone(reply);
    if (node === null || node.id === id) return node;
    throw new ServiceError(`The service answers with organization ${node.id} when asked for ${id}.`);
  }

  /** Returns the node with this serial number; an answer that shows another serial number does not count. */
  async bySerial(serialNo: string, signal: AbortSignal): Promise<Organization | null> {
    if (serialNo === '') return null;
    const query = { domain_id: this.#scope.domainId };
    const at = endpoint(OPERATIONS.organizationBySerial, { ...this.#code, serialNo });
    const node = valueOrNone(await this.#client.ask({ ...at, query, decode: orNull }, signal));
    return node === null || (node.serialNo ?? serialNo) !== serialNo ? null : node;
  }

  contents(id: string, signal: AbortSignal): Promise<NodeContents> {
    return lookInto({ client: this.#client, scope: this.#scope, id }, signal);
  }

  import(bodies: readonly OrganizationBody[], signal: AbortSignal): Promise<OrganizationImportAnswer> {
    const body = encodeOrganizations(bodies);
    const call = { ...endpoint(OPERATIONS.importOrganizations, this.#code), body, items: bodies.length };
    return this.#client.call({ ...call, decode: decodeImport }, signal);
  }

  /** Creates one node (interface, Create node): the answer does not show it. */
  create(body: OrganizationBody, signal: AbortSignal): Promise<void> {
    const call = { ...endpoint(OPERATIONS.createOrganization, this.#code), body: encodeOrganization(body) };
    return this.#client.call({ ...call, decode: nothing }, signal);
  }

  modify(id: string, fields: Fields, signal: AbortSignal): Promise<void> {
    const body = encodeModification(fields);
    const at = endpoint(OPERATIONS.modifyOrganization, { ...this.#code, id });
    return this.#client.call({ ...at, body, decode: nothing }, signal);
  }

  delete(id: string, signal: AbortSignal): Promise<void> {
    const at = endpoint(OPERATIONS.deleteOrganization, { ...this.#code, id });
    return this.#client.call({ ...at, refusals: DELETE_REFUSALS, decode: nothing }, signal);
  }
}

const CHECK_SCOPE = 'Are service.orgCode and service.domainId right?';
