import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { untagged, type OldNode } from '../../domain/records/moves.ts';
import { foldName } from '../../domain/text/fold.ts';

/** What is known of nodes. */
interface KnownNodes {
  readonly entries: readonly UnitEntry[];
  readonly oldNodes: readonly OldNode[];
  readonly organizations: readonly Organization[];
  /** Units that a plan makes or adopts. */
  readonly joining?: readonly { readonly id: string; readonly serialNo: string }[];
  /** Empty if it is unknown. */
  readonly rootOrgId: string;
}

/** The unit of each node that is ours, by organization id; `null`: the service's root. */
export type UnitNodes = ReadonlyMap<string, string | null>;

/**
 * Returns the nodes that are ours:
 *
 * - the nodes of managed units, and any other node that shows a unit's serial number, as after a restore;
 * - those that moved units have left, even if the ledger was lost and only their tag tells;
 * - the service's root, where rollcall puts people as well.
 */
export function unitNodes({
  entries,
  oldNodes,
  organizations,
  joining = [],
  rootOrgId,
}: KnownNodes): Map<string, string | null> {
  const managed = entries.filter(({ state }) => state === 'managed');
  const before = managed.flatMap(({ id, formerSerialNos = [] }) =>
    formerSerialNos.map((serialNo) => ({ id, serialNo })),
  );
  const unitOf = bySerialNo([...before, ...managed]);
  const unitLeft = bySerialNo([...joining, ...managed]);
  const marked = organizations.flatMap(({ id, serialNo }) => {
    const unit = unitOf.get(serialNo ?? '') ?? unitLeft.get(untagged(serialNo) ?? '');
    return unit === undefined ? [] : [[id, unit] as const];
  });
  const left = oldNodes.map(({ orgId, unit }) => [orgId, unit] as const);
  const stand = [...ownNodes(managed, organizations)].map(([orgId, { id }]) => [orgId, id] as const);
  return new Map<string, string | null>([...marked, ...left, ...stand, [rootOrgId, null]]);
}

function bySerialNo(
  units: readonly { readonly id: string; readonly serialNo: string }[],
): ReadonlyMap<string, string> {
  return new Map(units.map(({ serialNo, id }) => [serialNo, id]));
}

/**
 * Returns whether the node with the id that the ledger knows is the unit's: it shows the unit's serial number, tagged
 * if a move has begun, or the name that was last sent or read back. Ids alone prove nothing: a service that was
 * restored gives them again, to nodes of others.
 */
function isOwnNode(
  { serialNo, formerSerialNos = [], sent, accepted }: UnitEntry,
  node: Organization,
): boolean {
  const shown = [node.serialNo, untagged(node.serialNo)].filter((one) => one !== null);
  if (shown.some((one) => one === serialNo || formerSerialNos.includes(one))) return true;
  const name = foldName(node.name);
  return [sent.fields['name'], accepted?.['name']].some(
    (known) => typeof known === 'string' && foldName(known) === name,
  );
}

/** Returns the same for a node that the unit has left, which may have got a temporary name since. */
export function isOwnOldNode(entry: UnitEntry, node: Organization): boolean {
  const marks = [node.id, entry.serialNo, ...(entry.formerSerialNos ?? [])];
  return isOwnNode(entry, node) || marks.some((mark) => node.name.endsWith(`~${mark}`));
}

/** Returns the managed units whose nodes are seen and are theirs, by organization id. */
export function ownNodes(
  entries: readonly UnitEntry[],
  organizations: readonly Organization[],
): ReadonlyMap<string, UnitEntry> {
  const byId = new Map(organizations.map((node) => [node.id, node]));
  return new Map(
    entries.flatMap((entry) => {
      const node = byId.get(entry.orgId ?? '');
      return entry.state === 'managed' && node !== undefined && isOwnNode(entry, node)
        ? [[node.id, entry] as const]
        : [];
    }),
  );
}

/** Returns the nodes that the ledger has for units and that are seen, but belong to others by what they show. */
export function lostNodes(
  entries: readonly UnitEntry[],
  organizations: readonly Organization[],
): readonly OldNode[] {
  const own = ownNodes(entries, organizations);
  const seen = new Set(organizations.map(({ id }) => id));
  return entries.flatMap(({ id, state, orgId }) =>
    state === 'managed' && orgId !== null && seen.has(orgId) && !own.has(orgId) ? [{ orgId, unit: id }] : [],
  );
}
