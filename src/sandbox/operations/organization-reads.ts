import { noOrganization, type Operation, type Request, type Service } from './operation.ts';
import { numberIn, page } from './request-parts.ts';
import type { OrganizationRecord } from '../world/records.ts';
import type { WireObject } from '../world/wire-value.ts';

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
  const after = numberIn(query, 'refresh_time', -1);
  const kw = (query.get('kw') ?? '').toLowerCase();
  const refreshed = service.world.organizations.refreshedAfter(after);
  const matches = refreshed.filter((node) => node.name.toLowerCase().includes(kw));
  const { skip, limit } = page(query, service.readings);
  const records = matches.slice(skip, skip + limit).map((node) => organizationShape(service, node));
  const total = service.readings.totals === 'all' ? service.world.organizations.size : matches.length;
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

/**
 * Returns a node as every operation shows it (interface: Organization node): what has no value is left out,
 * what no operation can set is empty unless an administrator has typed it in. `view` adds full_name_path and
 * similar fields.
 */
export function organizationShape(service: Service, node: OrganizationRecord): WireObject {
  const { organizations } = service.world;
  return {
    id: node.id,
    domain_id: service.domainId,
    org_code: service.orgCode,
    parent_org_id: node.parentId,
    type: node.type,
    path: organizations.idPath(node.id),
    name: node.name,
    en_name: node.enName ?? '',
    tw_name: node.twName ?? '',
    logo: node.logo,
    sort_order: node.sortOrder,
    level: level(service, node),
    uuid: node.uuid,
    sn: node.sn,
    serial_no: node.serialNo,
    owner_id: node.ownerId ?? '',
    owner: node.owner ?? '',
    owner_name: node.ownerName ?? '',
    created: node.created,
    last_modified: node.refreshed,
    disabled: false,
    ...counts(service, node),
  };
}

/** Returns the counts. Whether locked employees count is left open: the reading `disabledCount` decides. */
function counts(service: Service, node: OrganizationRecord): WireObject {
  const { employees } = service.world;
  const headcount = service.readings.disabledCount ? employees.everyone : employees.active;
  return { employee_count: headcount.members(node.id).size, all_employee_count: headcount.total(node.id) };
}

/** Returns the short form for display_nodes, root_org_info and directly_corp. */
export function nodeReference(service: Service, node: OrganizationRecord): WireObject {
  const path = service.world.organizations.idPath(node.id);
  return { id: node.id, name: node.name, type: node.type, path, display: true };
}

/** Returns the level of a node; the root has 0. */
export function level(service: Service, node: OrganizationRecord): number {
  return service.world.organizations.lineage(node.id).length - 1;
}

/** Returns the fields that only `view` shows. */
export function viewAdditions(service: Service, node: OrganizationRecord): WireObject {
  const { organizations } = service.world;
  const lineage = organizations.lineage(node.id);
  const corp = lineage.find(({ type }) => type === 'CORP');
  return {
    parent_org_name: lineage[1]?.name,
    directly_corp: corp && nodeReference(service, corp),
    full_name_path: organizations.namePath(node.id),
  };
}
