import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Units } from '../../domain/ports/ledger/units.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { untagged, type OldNode } from '../../domain/records/moves.ts';
import { madeByMoveOf } from '../../plan/nodes/node-values.ts';
import type { Item } from '../calls/call-item.ts';
import type { Run } from '../state/world.ts';

/**
 * Takes over moves that an earlier run began and did not finish. The unit's node may be tagged as old or show
 * a former serial number, while another node has the unit's own one. Then that other node is the unit's.
 */
export function recoverMoves(run: Run, rootOrgId: string): void {
  const { units, view } = run.ledger;
  const entries = units.all().filter(({ state }) => state === 'managed');
  const nodes = view.organizations();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const bySerial = new Map(nodes.map((node) => [node.serialNo, node]));
  const ownerOf = new Map(entries.map(({ serialNo, id }) => [serialNo, id]));
  const recovered = entries.flatMap((entry) => {
    const serialNo = serialElsewhere(entry, byId.get(entry.orgId ?? '')?.serialNo ?? null, ownerOf);
    const node = serialNo === null ? undefined : bySerial.get(serialNo);
    return serialNo === null || node === undefined ? [] : [{ entry, serialNo, node }];
  });
  const unitOf = new Map(entries.map(({ id, orgId }) => [orgId, id]));
  for (const { entry, node } of recovered) unitOf.set(node.id, entry.id);
  const moves = recovered.map(({ entry, serialNo, node }) => {
    const sent = { ...entry.sent, parent: parentOf(entry, { node, unitOf, rootOrgId }) };
    const is = { is: 'moved', id: entry.id, orgId: node.id } as const;
    return { ...is, serialNo, sent, accepted: null, made: madeByMoveOf(node) };
  });
  if (moves.length > 0) units.recover(moves, []);
  // A ledger from a backup does not know all nodes that its units have left, and people may still be in them.
  const left = unknownOldNodes(units, nodes);
  if (left.length > 0) units.recover([], left);
}

/**
 * Returns the serial number that the unit's present node has, if the node that the ledger knows shows another one,
 * else `null`. A tag may have the number that the unit got with the move. One with another unit's serial number was set
 * by another rollcall: the new node is that unit's.
 */
function serialElsewhere(
  { id, serialNo, formerSerialNos = [] }: UnitEntry,
  shown: string | null,
  ownerOf: ReadonlyMap<string, string>,
): string | null {
  if (shown === null || shown === serialNo) return null;
  if (formerSerialNos.includes(shown)) return serialNo;
  const moved = untagged(shown);
  return moved !== null && (ownerOf.get(moved) ?? id) === id ? moved : null;
}

interface NewNode {
  readonly node: Organization;
  readonly unitOf: ReadonlyMap<string | null, string>;
  readonly rootOrgId: string;
}

/** Returns the unit below whose node the new node stands. The plan decides whether that is right. */
function parentOf({ sent }: UnitEntry, { node, unitOf, rootOrgId }: NewNode): string | null {
  if (node.parentId === rootOrgId) return null;
  return unitOf.get(node.parentId) ?? sent.parent;
}

/** Returns nodes that moved units have left and that the ledger does not know. They have our serial numbers, tagged. */
export function unknownOldNodes(units: Units, organizations: Iterable<Organization>): readonly OldNode[] {
  const entries = units.all().filter(({ state }) => state === 'managed');
  const known = new Set([...units.oldNodes(), ...entries].map(({ orgId }) => orgId));
  const unitOf = new Map(entries.map(({ serialNo, id }) => [serialNo, id]));
  return [...organizations].flatMap(({ id, serialNo }) => {
    const unit = unitOf.get(untagged(serialNo) ?? '');
    return unit === undefined || known.has(id) ? [] : [{ orgId: id, unit }];
  });
}

/**
 * Returns a journal item for work on a node that a moved unit has left; such work is no change of the plan. `name` is
 * the unit's: the node may have a temporary one.
 */
export function onOldNode({ unit, orgId }: OldNode, name: string | undefined): Item {
  const label = name ?? `node ${orgId}`;
  return { subject: 'unit', id: unit, label, buckets: [], isApproved: false, claims: null, repairs: [] };
}
