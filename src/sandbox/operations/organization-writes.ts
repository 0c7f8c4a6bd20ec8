import { randomUUID } from 'node:crypto';
import {
  conflict,
  invalid,
  noOrganization,
  stillHasEmployees,
  wrongPlace,
  type Operation,
  type Service,
} from './operation.ts';
import { nodeById } from './organization-reads.ts';
import {
  collapseBlanks,
  fieldsIn,
  identifier,
  importItems,
  pinyin,
  requiredField,
  requiredList,
  requiredObject,
  type FieldChanges,
  type Taken,
} from './request-parts.ts';
import { requireItem } from './strict.ts';
import type { OrganizationRecord } from '../world/records.ts';
import { isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

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
  removeSubtree(service, node.id);
  return null;
};

/** Adds the node of a create body, or updates its namesake where siblings=merge. */
function addOrganization(service: Service, body: WireObject): OrganizationRecord {
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

type Optional = Pick<OrganizationRecord, 'logo' | 'tel' | 'contact' | 'sn' | 'serialNo' | 'sortOrder'>;

const FIELDS = ['logo', 'tel', 'contact', 'sn', 'serial_no'];

/** Reads the body of create (interface: Create node body), except for the parent. */
function readCreateBody(
  service: Service,
  body: WireObject,
): Optional & Pick<OrganizationRecord, 'type' | 'name'> {
  const type = requiredField(body, 'type');
  const name = readName(service, requiredField(body, 'name'));
  return { type, name, ...optional(fieldsIn(body, [...FIELDS, 'sort_order'])) };
}

/** Reads the body of modify (interface: Modify node). All fields are optional, and sort_order is a String here. */
function readModifyBody(service: Service, body: WireObject): Partial<OrganizationRecord> {
  const type = body['type'] === undefined ? {} : { type: requiredField(body, 'type') };
  const name = body['name'] === undefined ? {} : { name: readName(service, requiredField(body, 'name')) };
  return { ...type, ...name, ...optional(fieldsIn(body, FIELDS)), ...sortOrderText(body) };
}

const RECORD_NAMES: Readonly<Record<string, string>> = { serial_no: 'serialNo', sort_order: 'sortOrder' };

function optional(changes: FieldChanges): Partial<Optional> {
  const entries = Array.from(changes, ([name, value]) => [RECORD_NAMES[name] ?? name, value]);
  const fields: Partial<Optional> = Object.fromEntries(entries);
  return fields;
}

function sortOrderText(body: WireObject): Partial<Optional> {
  const text = body['sort_order'];
  if (text === undefined) return {};
  if (text === '' || text === null) return { sortOrder: undefined };
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text)) {
    throw invalid('sort_order is not a string of digits');
  }
  return { sortOrder: Number(text) };
}

function readName(service: Service, name: string): string {
  return service.readings.normalizes ? collapseBlanks(name) : name;
}

/**
 * Returns the parent. parent_id counts before parent_path where both are given, because an id cannot be
 * ambiguous.
 */
function parentOf(service: Service, body: WireObject): OrganizationRecord {
  const { organizations } = service.world;
  const id = identifier(body['parent_id']);
  const path = body['parent_path'];
  const parent =
    typeof path === 'string' && id === undefined ? organizations.byPath(path) : organizations.get(id ?? '');
  if (parent === undefined) throw noOrganization();
  return parent;
}

/**
 * Refuses a serial number that another node has (interface: Create node body, "serial_no (third-party serial
 * number, unique)").
 */
function requireFreeSerial(service: Service, serialNo: string | undefined, ownId?: string): void {
  if (serialNo === undefined) return;
  const holder = service.world.organizations.bySerial(serialNo);
  if (holder !== undefined && holder.id !== ownId) throw conflict(`serial_no ${serialNo} already exists`);
}

/** Removes a node with everything below it; its employees lose their positions there. */
export function removeSubtree(service: Service, id: string): void {
  for (const node of service.world.organizations.subtree(id).toReversed()) {
    dropPositions(service, node.id);
    service.world.organizations.remove(node.id);
  }
}

/** Removes the positions at a node from their employees, when the node is deleted. */
function dropPositions(service: Service, orgId: string): void {
  const { employees } = service.world;
  for (const id of Array.from(employees.everyone.members(orgId))) {
    const employee = employees.get(id);
    if (employee === undefined) continue;
    const positions = employee.positions.filter((position) => position.orgId !== orgId);
    employees.put({ ...employee, positions, refreshed: service.now() });
  }
}

/**
 * Imports nodes (interface: Import nodes). Outcomes are keyed by organization path; whether that is a path of
 * names or of ids is left open (reading `pathKeys`). Parents have to come before children, because items are
 * taken in order.
 */
export const importOrganizations: Operation = (service, request) => {
  if (!service.readings.importOrgs) throw wrongPlace('nodes cannot be imported here');
  return importItems(service, requiredList(request.body), {
    keyOf: (item, index) => failureKey(service, item, index),
    take: (item) => {
      const body = requiredObject(item);
      requireItem('importOrganizations', item, service.lenient);
      return takeOne(service, body);
    },
  });
};

function takeOne(service: Service, body: WireObject): Taken {
  const { organizations } = service.world;
  const { id } = addOrganization(service, body);
  const names = service.readings.pathKeys === 'names';
  return { key: names ? organizations.namePath(id) : organizations.idPath(id), value: id };
}

/**
 * Returns the key of a refused node. It has no id, so its path is that of the parent, as far as known, and
 * the name.
 */
function failureKey(service: Service, item: WireValue, index: number): string {
  if (!isObject(item)) return `[${index}]`;
  const { organizations } = service.world;
  const path = typeof item['parent_path'] === 'string' ? item['parent_path'] : '';
  const id = identifier(item['parent_id']);
  const parent = id === undefined ? organizations.byPath(path) : organizations.get(id);
  const name = typeof item['name'] === 'string' ? item['name'] : `[${index}]`;
  const names = service.readings.pathKeys === 'names';
  const known = parent && (names ? organizations.namePath(parent.id) : organizations.idPath(parent.id));
  const above = (known ?? id ?? path).split('/').filter((part) => part !== '');
  return `/${[...above, name].join('/')}`;
}
