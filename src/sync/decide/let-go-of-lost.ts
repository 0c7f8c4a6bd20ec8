import type { UnitEntry } from '../../domain/ports/ledger.ts';
import { printable } from '../../domain/text/printable.ts';
import { isOwnOldNode, lostNodes } from '../../plan/units/own-node.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { isMissing } from '../../plan/units/unit-removals.ts';
import { nameOf } from '../../plan/units/unit-name.ts';
import type { Run } from '../state/world.ts';

/**
 * Forgets nodes of units that are gone from the source, and nodes that moved units have left, which are somebody else's
 * by what they show: a service that was restored gives ids again. Nothing is ever sent to them; each unit is named once.
 */
export function letGoOfLost({ ledger, sync, log }: Run, tree: UnitTree): void {
  const { units, view, staging } = ledger;
  const entries = units.all();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const nodes = new Map(view.organizations().map((node) => [node.id, node]));
  for (const { orgId, unit } of units.oldNodes()) {
    const [node, entry] = [nodes.get(orgId), byId.get(unit)];
    if (node !== undefined && entry !== undefined && !isOwnOldNode(entry, node)) units.forgetOld(orgId);
  }
  for (const { orgId, unit } of lostNodes(entries, [...nodes.values()])) {
    const entry = byId.get(unit);
    if (entry === undefined || !isMissing(entry, { tree, sync })) continue;
    units.letGo(unit);
    const name = nodes.get(orgId)?.name ?? '';
    const blocked = {
      subject: 'unit',
      id: unit,
      label: labelOf(entry),
      reason: reasonFor(orgId, name),
    } as const;
    staging.blocked(blocked);
    log.event({ event: 'item.blocked', subject: 'unit', id: unit, reason: blocked.reason });
  }
}

const labelOf = ({ id, sent }: UnitEntry): string => nameOf(sent) || id;

function reasonFor(orgId: string, name: string): string {
  return (
    `missing in the source, and its node ${orgId} is somebody else's by what it shows ("${printable(name)}"): left ` +
    'alone; where it is this unit all the same, remove it there'
  );
}
