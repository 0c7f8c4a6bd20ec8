import type { UnitChange } from '../../domain/changes.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { unitNodes, type KnownNodes } from '../../plan/units/unit-nodes.ts';
import type { Run } from '../state/world.ts';

interface Planned extends Pick<KnownNodes, 'entries' | 'organizations'> {
  readonly changes: readonly UnitChange[];
}

/** Which nodes are ours before anything is sent; those of units that the plan adopts are when that is done. */
export function knowNodes(run: Run, { changes, ...known }: Planned): void {
  const joining = changes.filter(({ kind }) => UNIT_KINDS[kind].joins);
  const oldNodes = run.ledger.units.oldNodes();
  const rootOrgId = run.orgIds.get(null) ?? '';
  for (const [orgId, unit] of unitNodes({ ...known, joining, oldNodes, rootOrgId }))
    run.nodes.set(orgId, unit);
}

/** Nodes of units that a plan adopts. */
export function adopted(changes: readonly UnitChange[]): ReadonlyMap<string | null, string> {
  const adopts = changes.filter(({ kind }) => kind === 'adopt');
  return new Map(adopts.flatMap(({ id, orgId }) => (orgId === null ? [] : [[id, orgId] as const])));
}
