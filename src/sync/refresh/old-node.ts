import type { UnitChange } from '../../domain/changes.ts';
import type { Units } from '../../domain/ports/ledger/units.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';

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

/** Work on a node that a moved unit has left, as the journal takes it: no change of the plan. */
export function onOldNode({ unit, orgId }: OldNode, node: Organization | undefined): UnitChange {
  const name = node?.name ?? `node ${orgId}`;
  return {
    subject: 'unit',
    kind: 'move',
    id: unit,
    name,
    payload: { fields: { name }, parent: null },
    serialNo: node?.serialNo ?? '',
    orgId,
    why: 'the unit has left this node',
    fields: [],
    guard: null,
    cause: null,
  };
}
