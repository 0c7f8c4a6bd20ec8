import type { OldNode } from '../../domain/records/moves.ts';
import { itemOf, type Item } from '../calls/call-item.ts';
import { unitChangesOf } from '../calls/steps.ts';
import { unitName } from '../../plan/units/tree.ts';
import { onOldNode, unknownOldNodes } from '../refresh/old-node.ts';
import type { SendingRun } from '../state/world.ts';

/** A node that is to be deleted once it is empty. */
export interface DoomedNode {
  readonly orgId: string;
  readonly item: Item;
  /** Whether a unit that moved has left it; otherwise its unit is gone. */
  readonly isOld: boolean;
  /** Depth below the root: children are deleted before their parents. */
  readonly depth: number;
}

/**
 * Returns the nodes of units that are gone, and those that moved units have left; children first, as the service has
 * them.
 */
export function doomedNodes(run: SendingRun): readonly DoomedNode[] {
  const { nodes } = run;
  const gone = [...unitChangesOf(run, 'remove')].flatMap((change) =>
    change.orgId === null ? [] : [{ orgId: change.orgId, item: itemOf(run, change), isOld: false }],
  );
  const names = new Map(run.ledger.units.all().map(({ id, sent }) => [id, unitName(sent)]));
  const left = oldNodes(run).map((old) => {
    return { orgId: old.orgId, item: onOldNode(old, names.get(old.unit)), isOld: true };
  });
  const doomed = [...gone, ...left].map((node) => ({ ...node, depth: nodes.depthOf(node.orgId) }));
  return doomed.toSorted((a, b) => b.depth - a.depth);
}

/**
 * Returns the nodes that moved units have left. Full runs also find those of units that they have just adopted, after a
 * lost ledger.
 */
function oldNodes({ ledger: { units }, full, nodes }: SendingRun): readonly OldNode[] {
  const remembered = units.oldNodes();
  return full ? [...remembered, ...unknownOldNodes(units, nodes.all())] : remembered;
}
