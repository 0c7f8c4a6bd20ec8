import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { itemOf, type Item } from '../calls/call-item.ts';
import { unitChangesOf } from '../calls/steps.ts';
import { onOldNode, unknownOldNodes } from '../refresh/old-node.ts';
import type { Run } from '../state/world.ts';

/** A node that is to be deleted once it is empty. */
export interface DoomedNode {
  readonly orgId: string;
  readonly item: Item;
  /** Left by a unit that moved; else of a unit that is gone. */
  readonly isOld: boolean;
  /** Below the root; children before their parents. */
  readonly depth: number;
}

/** Nodes of units that are gone, and those that moved units have left, children first as the service has them. */
export function doomedNodes(run: Run): readonly DoomedNode[] {
  const nodes = new Map(run.ledger.view.organizations().map((node) => [node.id, node]));
  const gone = [...unitChangesOf(run, 'remove')].flatMap((change) =>
    change.orgId === null ? [] : [{ orgId: change.orgId, item: itemOf(run, change), isOld: false }],
  );
  const left = oldNodes(run, nodes).map((old) => {
    return { orgId: old.orgId, item: onOldNode(old, nodes.get(old.orgId)), isOld: true };
  });
  const doomed = [...gone, ...left].map((node) => ({ ...node, depth: depthOf(node.orgId, nodes) }));
  return doomed.toSorted((a, b) => b.depth - a.depth);
}

/** Full runs also find those of units that they have just adopted, after a lost ledger. */
function oldNodes(
  { ledger: { units }, full }: Run,
  nodes: ReadonlyMap<string, Organization>,
): readonly OldNode[] {
  const remembered = units.oldNodes();
  return full ? [...remembered, ...unknownOldNodes(units, nodes.values())] : remembered;
}

function depthOf(orgId: string, nodes: ReadonlyMap<string, Organization>): number {
  let depth = 0;
  for (let node = nodes.get(orgId); node !== undefined && depth < nodes.size; depth += 1)
    node = node.parentId === null ? undefined : nodes.get(node.parentId);
  return depth;
}
