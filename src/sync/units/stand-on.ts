import type { Run } from '../state/world.ts';

/** Makes this one the unit's node from here on; one that it has left stays ours. */
export function standOn(run: Run, unit: string, orgId: string): void {
  run.orgIds.set(unit, orgId);
  run.nodes.set(orgId, unit);
}
