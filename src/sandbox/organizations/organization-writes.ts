import { randomUUID } from 'node:crypto';
import { requiredObject } from '../operation/body-fields.ts';
import { dropPositions } from './drop-positions.ts';
import { parentOf, readCreateBody, readModifyBody, requireFreeSerial } from './organization-body.ts';
import { pinyin } from '../operation/pinyin.ts';
import { nodeById } from './organization-reads.ts';
import type { OrganizationRecord } from '../world/records.ts';
import { conflict, stillHasEmployees } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

/* Interface: Organizations, the operations that change one node. Their result is not shown: null here. */

export const createOrganization: Operation = (service, request) => {
  addOrganization(service, requiredObject(request.body));
  return null;
};

export const modifyOrganization: Operation = (service, request) => {
  const node = nodeById(service, request.params['id']);
  const changes = readModifyBody(service, requiredObject(request.body));
  changeOrganization(service, node, changes);
  return null;
};

export const deleteOrganization: Operation = (service, request) => {
  const node = nodeById(service, request.params['id']);
  if (node.parentId === undefined) throw conflict('the root organization cannot be deleted');
  if (!service.readings.deleteCascades) requireEmpty(service, node);
  for (const gone of service.world.organizations.subtree(node.id).toReversed()) {
    dropPositions(service, gone.id);
    service.world.organizations.remove(gone.id);
  }
  return null;
};

/** Adds the node of a create body, or updates its namesake where siblings=merge. */
export function addOrganization(service: Service, body: WireObject): OrganizationRecord {
  const fields = readCreateBody(service, body);
  const parent = parentOf(service, body);
  const sibling = service.world.organizations.childNamed(parent.id, fields.name);
  if (sibling !== undefined && service.readings.siblings === 'merge') {
    return changeOrganization(service, sibling, fields);
  }
  if (sibling !== undefined) throw conflict(`name ${fields.name} already exists below its parent`);
  requireFreeSerial(service, fields.serialNo);
  const created = service.now();
  const identity = { id: service.ids.take(), uuid: randomUUID(), parentId: parent.id };
  const filled = service.readings.fillsNodes ? filledIn(fields.name) : {};
  return service.world.organizations.put({ ...identity, ...filled, ...fields, created, refreshed: created });
}

/** Returns the values that the service itself gives to a new node. */
function filledIn(name: string): Partial<OrganizationRecord> {
  return { enName: pinyin(name), ownerId: '1', owner: 'admin', ownerName: 'Administrator', logo: 'default' };
}

function changeOrganization(
  service: Service,
  node: OrganizationRecord,
  changes: Partial<OrganizationRecord>,
): OrganizationRecord {
  const { organizations } = service.world;
  const namesake = organizations.childNamed(node.parentId ?? '', changes.name ?? node.name);
  if (changes.name !== undefined && namesake !== undefined && namesake.id !== node.id) {
    throw conflict(`name ${changes.name} already exists below its parent`);
  }
  requireFreeSerial(service, changes.serialNo, node.id);
  return organizations.put({ ...node, ...changes, refreshed: service.now() });
}

function requireEmpty(service: Service, node: OrganizationRecord): void {
  const { employees, organizations } = service.world;
  const headcount = service.readings.disabledCount ? employees.everyone : employees.active;
  if (headcount.members(node.id).size > 0) throw stillHasEmployees();
  if (organizations.hasChildren(node.id)) throw conflict('organization still has children');
}
