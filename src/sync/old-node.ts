import type { UnitChange } from '../domain/changes.ts';
import type { OldNode } from '../domain/moves.ts';
import type { Organization } from '../domain/service.ts';

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
