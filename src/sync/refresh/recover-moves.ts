import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import { untagged } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { madeByMoveOf } from '../../plan/nodes/node-values.ts';
import { unknownOldNodes } from './old-node.ts';
import type { Run } from '../state/world.ts';

/**
 * Takes over moves that an earlier run began and did not finish. Where the unit's node is tagged as old, or shows a
 * former serial number, and another node has the unit's own one, that other node is the unit's by now.
 */
export function recoverMoves(run: Run, rootOrgId: string): void {
  const { units, view, people } = run.ledger;
  const entries = units.all().filter(({ state }) => state === 'managed');
  const nodes = view.organizations();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const bySerial = new Map(nodes.map((node) => [node.serialNo, node]));
  const recovered = entries.flatMap((entry) => {
    const serialNo = serialElsewhere(entry, byId.get(entry.orgId ?? '')?.serialNo ?? null);
    const node = serialNo === null ? undefined : bySerial.get(serialNo);
    return serialNo === null || node === undefined ? [] : [{ entry, serialNo, node }];
  });
  const unitOf = new Map(entries.map(({ id, orgId }) => [orgId, id]));
  for (const { entry, node } of recovered) unitOf.set(node.id, entry.id);
  for (const { entry, serialNo, node } of recovered) {
    const sent = { ...entry.sent, parent: parentOf(entry, { node, unitOf, rootOrgId }) };
    units.moved({
      is: 'moved',
      id: entry.id,
      orgId: node.id,
      serialNo,
      sent,
      accepted: null,
      made: madeByMoveOf(node),
    });
  }
  // A ledger from a backup does not know all nodes that its units have left, and people may still be in them.
  const left = unknownOldNodes(units, nodes);
  for (const node of left) units.left(node);
  people.follow([...recovered.map(({ entry }) => entry.id), ...left.map(({ unit }) => unit)]);
}

/**
 * Returns the serial number that the unit's present node has, where the node that the ledger knows shows another one,
 * else `null`. A tag with another unit's serial number was set by another rollcall: the new node is that unit's.
 */
function serialElsewhere({ serialNo, formerSerialNos = [] }: UnitEntry, shown: string | null): string | null {
  if (shown === null || shown === serialNo) return null;
  if (formerSerialNos.includes(shown)) return serialNo;
  const moved = untagged(shown);
  return moved !== null && [serialNo, ...formerSerialNos].includes(moved) ? moved : null;
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
