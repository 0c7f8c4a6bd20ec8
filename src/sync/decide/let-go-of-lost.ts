import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { printable } from '../../domain/text/printable.ts';
import { isOwnOldNode, lostNodes } from '../../plan/nodes/unit-nodes.ts';
import { unitName, type UnitTree } from '../../plan/units/tree.ts';
import { isMissing } from '../../plan/units/unit-removals.ts';
import { listBlocked } from '../calls/block.ts';
import type { Run } from '../state/world.ts';

interface Known {
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
}

/**
 * Forgets nodes that are somebody else's by what they show, as a service that was restored gives ids again: nodes of
 * units that are gone from the source, and nodes that moved units have left. Nothing is ever sent to them, and each
 * such unit is named once. Returns the units that are left.
 */
export function letGoOfLost(
  run: Run,
  tree: UnitTree,
  { entries, organizations }: Known,
): readonly UnitEntry[] {
  const { units } = run.ledger;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const nodes = new Map(organizations.map((node) => [node.id, node]));
  for (const { orgId, unit } of units.oldNodes()) {
    const [node, entry] = [nodes.get(orgId), byId.get(unit)];
    if (node !== undefined && entry !== undefined && !isOwnOldNode(entry, node)) units.forgetOld(orgId);
  }
  const lost = lostNodes(entries, organizations).filter(({ unit }) => {
    const entry = byId.get(unit);
    return entry !== undefined && isMissing(entry, { tree, sync: run.sync });
  });
  for (const { orgId, unit: id } of lost) {
    units.letGo(id);
    const label = labelOf(byId.get(id), id);
    listBlocked(run, { subject: 'unit', id, label, reason: reasonFor(orgId, nodes.get(orgId)?.name ?? '') });
  }
  return lost.length === 0 ? entries : units.all();
}

const labelOf = (entry: UnitEntry | undefined, id: string): string =>
  entry === undefined ? id : unitName(entry.sent) || id;

function reasonFor(orgId: string, name: string): string {
  return (
    `missing in the source, and its node ${orgId} is somebody else's by what it shows ("${printable(name)}"): left ` +
    'alone; where it is this unit all the same, remove it there'
  );
}
