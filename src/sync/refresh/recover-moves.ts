import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { madeByMoveOf } from '../../plan/nodes/node-values.ts';
import { unknownOldNodes } from './old-node.ts';
import type { Run } from '../state/world.ts';

/**
 * Moves that an earlier run began and did not see the end of: where the node of a unit is tagged as old, or shows a
 * serial number of before, and another one has the unit's own, that is the unit's node by now.
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
  // A ledger from a backup does not know all that its units have left, and their people may be there still.
  const left = unknownOldNodes(units, nodes);
  for (const node of left) units.left(node);
  people.follow([...recovered.map(({ entry }) => entry.id), ...left.map(({ unit }) => unit)]);
}

/**
 * Returns the serial number by which the unit's node of now is known, where the one that the ledger knows shows another.
 * A tag with the serial number of another unit was set by another rollcall: its new node is that unit's, not this one's.
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

/** Returns where the new node stands; the plan decides whether that is where it should be. */
function parentOf({ sent }: UnitEntry, { node, unitOf, rootOrgId }: NewNode): string | null {
  if (node.parentId === rootOrgId) return null;
  return unitOf.get(node.parentId) ?? sent.parent;
}
