import type { Fields } from '../../domain/records/fields.ts';
import type { Organization } from '../../domain/ports/service.ts';
import {
  countOrNull,
  decodeFields,
  idOf,
  objectOf,
  shownInteger,
  shownText,
  textOrNull,
  type ShownField,
  type WireObject,
} from './decode.ts';

const SHOWN: readonly ShownField[] = [
  ['name', 'name', shownText],
  ['type', 'type', shownText],
  ['sn', 'sn', shownText],
  ['serial_no', 'serial_no', shownText],
  ['sort_order', 'sort_order', shownInteger],
  ['logo', 'logo', shownText],
  ['en_name', 'en_name', shownText],
  ['tw_name', 'tw_name', shownText],
];

/** Keys that may name the owner of a node. */
const OWNER = ['owner_id', 'owner', 'owner_name'] as const;

function ownerOf(node: WireObject): Fields {
  const owner = OWNER.map((key) => textOrNull(node[key])).find((text) => text !== null && text !== '0');
  return owner === undefined ? {} : { owner_id: owner };
}

/** Decodes a node (interface, "Organization node"). Throws a ShapeError if there is no id. */
export function decodeOrganization(value: unknown): Organization {
  const node = objectOf(value, 'an organization');
  const id = idOf(node['id'], 'the id of an organization');
  return {
    id,
    parentId: parentOf(node, id),
    name: textOrNull(node['name']) ?? '',
    serialNo: textOrNull(node['serial_no']),
    employeeCount: countOrNull(node['employee_count']),
    ...(node['disabled'] === true ? { disabled: true } : {}),
    fields: { ...decodeFields(node, SHOWN), ...ownerOf(node) },
  };
}

/**
 * Returns the id of the parent: "absent on the root". If it is left out elsewhere too, the path of node
 * ids gives it.
 */
export function parentOf(node: WireObject, id: string): string | null {
  const parent = textOrNull(node['parent_org_id']);
  if (parent !== null && parent !== '0' && parent !== id) return parent;
  const lineage = idsOfPath(node['path']);
  return lineage.at(-1) === id ? (lineage.at(-2) ?? null) : null;
}

/** Returns the ids in a path, which is "slash-delimited node ids" (interface, "Organization node"). */
export function idsOfPath(path: unknown): readonly string[] {
  return typeof path === 'string' ? path.split('/').filter((id) => id !== '') : [];
}

/** The root, and its organization if the answer names it (interface, "Organization info"). */
interface Root {
  readonly root: Organization;
  readonly orgCode: string | null;
  readonly domainId: string | null;
}

export function decodeRoot(value: unknown): Root {
  const node = objectOf(value, 'the root organization');
  return {
    root: { ...decodeOrganization(node), ...isEmptyRoot(node) },
    orgCode: textOrNull(node['org_code']),
    domainId: textOrNull(node['domain_id']),
  };
}

/**
 * Returns whether the service itself counts no employee at the root and below it. A count that is not shown
 * proves nothing.
 */
function isEmptyRoot(node: WireObject): Pick<Organization, 'isEmpty'> {
  const counts = [node['employee_count'], node['all_employee_count']].map((count) => countOrNull(count));
  return counts.every((count) => count === 0) ? { isEmpty: true } : {};
}
