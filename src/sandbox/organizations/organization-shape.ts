import type { OrganizationRecord } from '../world/records.ts';
import type { Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

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
