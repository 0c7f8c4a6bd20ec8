import type { Units } from '../../domain/ports/ledger/units.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { Item } from '../calls/call-item.ts';

/** Nodes that moved units have left and that the ledger does not know: their tagged serial numbers are ours. */
export function unknownOldNodes(units: Units, organizations: Iterable<Organization>): readonly OldNode[] {
  const entries = units.all().filter(({ state }) => state === 'managed');
  const known = new Set([...units.oldNodes(), ...entries].map(({ orgId }) => orgId));
  const unitOf = new Map(entries.map(({ serialNo, id }) => [serialNo, id]));
  return [...organizations].flatMap(({ id, serialNo }) => {
    const unit = unitOf.get(untagged(serialNo) ?? '');
    return unit === undefined || known.has(id) ? [] : [{ orgId: id, unit }];
  });
}

/** Returns work on a node that a moved unit has left, as the journal takes it: no change of the plan. */
export function onOldNode({ unit, orgId }: OldNode, node: Organization | undefined): Item {
  const label = node?.name ?? `node ${orgId}`;
  return { subject: 'unit', id: unit, label, buckets: [], isApproved: false, claims: null, repairs: [] };
}
