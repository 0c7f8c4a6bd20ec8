import type { Run } from '../state/world.ts';

/** From here on the unit's node is this one; one that it has left stays ours. */
export function standOn(run: Run, unit: string, orgId: string): void {
  run.orgIds.set(unit, orgId);
  run.nodes.set(orgId, unit);
}
