import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../interface/json.ts';
import { ORGANIZATIONS } from '../../interface/operations/organizations.ts';
import { invalid, Refused, type Request, type Service, type Work } from './operation.ts';
import { identifier, importEach, pageOf, pinyin } from './request.ts';
import { nodeReference, shownEmployee, shownNode } from './shapes.ts';
import type { OrganizationRecord } from '../world/records.ts';

type Created = Request<'createOrganization'>['body'];
type Modified = Request<'modifyOrganization'>['body'];

const ITEM = ORGANIZATIONS.createOrganization.body.of;

/** Interface: Organizations. The results of changes of one node are not shown: null. */
export const organizationWork: Work<keyof typeof ORGANIZATIONS> = {
  organizationInfo: (service) => shownNode(service, service.world.organizations.root),
  getOrganization: (service, { params }) => shownNode(service, nodeById(service, params.id)),
  organizationBySerial: (service, { params }) => {
    const node = service.world.organizations.bySerial(params.serialNo);
    if (node === undefined) throw new Refused('noOrganization');
    return shownNode(service, node);
  },
  pageOrganizations: (service, { query }) => {
    const { organizations } = service.world;
    const word = (query.kw ?? '').toLowerCase();
    const refreshed = organizations.refreshedAfter(query.refresh_time ?? -1);
    const found = refreshed.filter(({ name }) => name.toLowerCase().includes(word));
    const records = pageOf(found, query, service.readings).map((node) => shownNode(service, node));
    const total = service.readings.totals === 'all' ? organizations.size : found.length;
    return { total_count: total, records };
  },
  organizationTree: (service, { query }) => branch(service, startNode(service, query)),
  listOrganizations: (service, { query }) => {
    const nodes = service.world.organizations.subtree(startNode(service, query).id);
    return nodes.map((node) => shownNode(service, node));
  },
  // A list of one node, since the document says list and names one start.
  viewOrganization: (service, { query }) => {
    const { organizations, employees } = service.world;
    const node = startNode(service, query);
    const lineage = organizations.lineage(node.id);
    const corp = lineage.find(({ type }) => type === 'CORP');
    const seen = employees
      .membersOf(node.id)
      .filter(({ locked }) => !(locked && service.readings.hidesLocked));
    const children = organizations.childrenOf(node.id);
    const page = { skip: query.employee_skip, limit: query.employee_limit ?? seen.length };
    const below = { skip: query.org_skip, limit: query.org_limit ?? children.length };
    const readings = { ...service.readings, maxLimit: 0 };
    return [
      {
        ...shownNode(service, node),
        ...(query.counting ? {} : { all_employee_count: undefined }),
        parent_org_name: lineage[1]?.name,
        directly_corp: corp && nodeReference(service, corp),
        full_name_path: organizations.namePath(node.id),
        employees: pageOf(seen, page, readings).map((employee) => shownEmployee(service, employee)),
        children: pageOf(children, below, readings).map((child) => shownNode(service, child)),
      },
    ];
  },
  createOrganization: (service, { body }) => {
    addOrganization(service, body);
    return null;
  },
  modifyOrganization: (service, { params, body }) => {
    changeOrganization(service, nodeById(service, params.id), modificationOf(service, body));
    return null;
  },
  deleteOrganization: (service, { params }) => {
    const node = nodeById(service, params.id);
    if (node.parentId === undefined) throw new Refused('conflict', 'the root organization cannot be deleted');
    if (!service.readings.deleteCascades) requireEmpty(service, node);
    removeSubtree(service, node.id);
    return null;
  },
  // Parents have to come before children, because items are taken in order.
  importOrganizations: (service, { body }) => {
    if (!service.readings.importOrgs) throw new Refused('place', 'nodes cannot be imported here');
    return importEach(service, ITEM, body, {
      take: (item) => {
        const { id } = addOrganization(service, item);
        return [pathKey(service, id), id];
      },
      keyOf: (item) => refusedKey(service, item as Partial<Created>),
    });
  },
};

export function nodeById({ world }: Service, id: string): OrganizationRecord {
  const node = world.organizations.get(id);
  if (node === undefined) throw new Refused('noOrganization');
  return node;
}

/** Returns the node of `org_id`, by default the root. */
function startNode(
  service: Service,
  { org_id: id }: Request<'organizationTree'>['query'],
): OrganizationRecord {
  return nodeById(service, id ?? service.world.organizations.root.id);
}

function branch(service: Service, node: OrganizationRecord): JsonObject {
  const children = service.world.organizations.childrenOf(node.id);
  return { ...shownNode(service, node), children: children.map((child) => branch(service, child)) };
}

/** Adds the node of a create body, or updates its namesake where siblings=merge. */
function addOrganization(service: Service, body: Created): OrganizationRecord {
  const { organizations } = service.world;
  const order = body.sort_order === undefined ? undefined : String(body.sort_order ?? '');
  const fields = { ...modificationOf(service, { ...body, sort_order: order }), type: body.type };
  const parent = parentOf(service, body);
  if (parent === undefined) throw new Refused('noOrganization');
  const sibling = organizations.childNamed(parent.id, fields.name ?? '');
  if (sibling !== undefined && service.readings.siblings === 'merge')
    return changeOrganization(service, sibling, fields);
  const created = service.now();
  const node = { id: service.newId(), uuid: randomUUID(), parentId: parent.id, created, refreshed: created };
  const filled = service.readings.fillsNodes ? { ...FILLED, enName: pinyin(body.name) } : {};
  return changeOrganization(service, { ...node, ...filled, type: '', name: '' }, fields);
}

/** Values that the service itself gives to a new node. */
const FILLED = { ownerId: '1', owner: 'admin', ownerName: 'Administrator', logo: 'default' };

function changeOrganization(
  service: Service,
  node: OrganizationRecord,
  changes: Partial<OrganizationRecord>,
): OrganizationRecord {
  const { organizations } = service.world;
  const changed = { ...node, ...changes, refreshed: service.now() };
  const namesake = organizations.childNamed(node.parentId ?? '', changed.name);
  if (changed.name !== node.name && namesake !== undefined)
    throw new Refused('conflict', `name ${changed.name} already exists below its parent`);
  const holder = changes.serialNo === undefined ? undefined : organizations.bySerial(changes.serialNo);
  // "serial_no (third-party serial number, unique)".
  if (holder !== undefined && holder.id !== node.id)
    throw new Refused('conflict', `serial_no ${changes.serialNo} already exists`);
  return organizations.put(changed);
}

function requireEmpty({ world, readings }: Service, { id }: OrganizationRecord): void {
  const members = world.employees.membersOf(id);
  if (members.some(({ locked }) => readings.disabledCount || !locked)) throw new Refused('hasEmployees');
  if (world.organizations.childrenOf(id).length > 0)
    throw new Refused('conflict', 'organization still has children');
}

const RECORD_NAMES = {
  logo: 'logo',
  tel: 'tel',
  contact: 'contact',
  sn: 'sn',
  serial_no: 'serialNo',
} as const;

/** Reads the body of modify: a field that is given without a value is cleared, and sort_order is a String here. */
function modificationOf(service: Service, body: Modified): Partial<OrganizationRecord> {
  const { name, type, sort_order: order } = body;
  if (order && !/^-?\d+$/.test(order)) throw invalid('sort_order is not a string of digits');
  const texts = Object.entries(RECORD_NAMES).filter(([field]) => body[field as keyof Modified] !== undefined);
  return {
    ...(type ? { type } : {}),
    ...(typeof name === 'string' ? { name: nameOf(service, name) } : {}),
    ...Object.fromEntries(texts.map(([field, key]) => [key, body[field as keyof Modified] || undefined])),
    ...(order === undefined ? {} : { sortOrder: order ? Number(order) : undefined }),
  };
}

function nameOf({ readings }: Service, name: string): string {
  if (name.trim() === '') throw invalid('name is required');
  return readings.normalizes ? name.trim().replaceAll(/\s+/g, ' ') : name;
}

/** Returns the parent. parent_id counts before parent_path where both are given, because an id cannot be ambiguous. */
function parentOf(
  { world: { organizations } }: Service,
  { parent_id: id, parent_path: path }: Partial<Created>,
): OrganizationRecord | undefined {
  return identifier(id) === undefined ? organizations.byPath(path ?? '') : organizations.get(id ?? '');
}

/** Removes a node with everything below it; its employees lose their positions there. */
export function removeSubtree({ world, now }: Service, id: string): void {
  const { organizations, employees } = world;
  for (const node of organizations.subtree(id).toReversed()) {
    for (const employee of employees.membersOf(node.id)) {
      const positions = employee.positions.filter(({ orgId }) => orgId !== node.id);
      employees.put({ ...employee, positions, refreshed: now() });
    }
    organizations.remove(node.id);
  }
}

/** Returns an "organization path" as the key of an outcome: of names or of ids, which is left open. */
function pathKey({ world: { organizations }, readings }: Service, id: string): string {
  return readings.pathKeys === 'names' ? organizations.namePath(id) : organizations.idPath(id);
}

/**
 * Returns the key of a refused node. It has no id, so its path is that of the parent, as far as known, and
 * the name.
 */
function refusedKey(service: Service, item: Partial<Created>): string {
  const parent = parentOf(service, item);
  const known =
    parent === undefined ? (identifier(item.parent_id) ?? item.parent_path) : pathKey(service, parent.id);
  const above = (known ?? '').split('/').filter((part) => part !== '');
  return `/${[...above, item.name].join('/')}`;
}
