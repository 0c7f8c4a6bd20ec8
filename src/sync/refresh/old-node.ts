import type { Units } from '../../domain/ports/ledger/units.ts';
import { untagged, type OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { Item } from '../calls/call-item.ts';

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
