import { organizationShape } from './organization-shape.ts';
import { page, wholeNumber } from '../operation/query.ts';
import type { OrganizationRecord } from '../world/records.ts';
import { noOrganization } from '../operation/refused.ts';
import type { Operation, Request, Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

/* Interface: Organizations, the operations that only look. */

export const organizationInfo: Operation = (service) =>
  organizationShape(service, service.world.organizations.root);

export const getOrganization: Operation = (service, request) =>
  organizationShape(service, nodeById(service, request.params['id']));

export const organizationBySerial: Operation = (service, request) => {
  const node = service.world.organizations.bySerial(request.params['serialNo'] ?? '');
  if (node === undefined) throw noOrganization();
  return organizationShape(service, node);
};

export const pageOrganizations: Operation = (service, { query }) => {
  const after = wholeNumber(query, 'refresh_time', -1);
  const kw = (query.get('kw') ?? '').toLowerCase();
  const refreshed = service.world.organizations.refreshedAfter(after);
  const found = refreshed.filter((node) => node.name.toLowerCase().includes(kw));
  const { skip, limit } = page(query, service.readings);
  const records = found.slice(skip, skip + limit).map((node) => organizationShape(service, node));
  const total = service.readings.totals === 'all' ? service.world.organizations.size : found.length;
  return { total_count: total, records };
};

export const organizationTree: Operation = (service, request) => branch(service, startNode(service, request));

export const listOrganizations: Operation = (service, request) => {
  const { organizations } = service.world;
  const nodes = organizations.subtree(startNode(service, request).id);
  return nodes.map((node) => organizationShape(service, node));
};

export function nodeById(service: Service, id: string | undefined): OrganizationRecord {
  const node = service.world.organizations.get(id ?? '');
  if (node === undefined) throw noOrganization();
  return node;
}

/** Returns the node of `org_id`, by default the root. */
export function startNode(service: Service, { query }: Request): OrganizationRecord {
  return nodeById(service, query.get('org_id') || service.world.organizations.root.id);
}

function branch(service: Service, node: OrganizationRecord): WireObject {
  const children = service.world.organizations.childrenOf(node.id);
  return { ...organizationShape(service, node), children: children.map((child) => branch(service, child)) };
}
