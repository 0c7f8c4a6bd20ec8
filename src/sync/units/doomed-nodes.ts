import type { OldNode } from '../../domain/records/moves.ts';
import { itemOf, type Item } from '../calls/call-item.ts';
import { unitChangesOf } from '../calls/steps.ts';
import { onOldNode, unknownOldNodes } from '../refresh/old-node.ts';
import type { SendingRun } from '../state/world.ts';

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
export function doomedNodes(run: SendingRun): readonly DoomedNode[] {
  const { nodes } = run;
  const gone = [...unitChangesOf(run, 'remove')].flatMap((change) =>
    change.orgId === null ? [] : [{ orgId: change.orgId, item: itemOf(run, change), isOld: false }],
  );
  const left = oldNodes(run).map((old) => {
    return { orgId: old.orgId, item: onOldNode(old, nodes.node(old.orgId)), isOld: true };
  });
  const doomed = [...gone, ...left].map((node) => ({ ...node, depth: nodes.depthOf(node.orgId) }));
  return doomed.toSorted((a, b) => b.depth - a.depth);
}

/** Full runs also find those of units that they have just adopted, after a lost ledger. */
function oldNodes({ ledger: { units }, full, nodes }: SendingRun): readonly OldNode[] {
  const remembered = units.oldNodes();
  return full ? [...remembered, ...unknownOldNodes(units, nodes.all())] : remembered;
}
