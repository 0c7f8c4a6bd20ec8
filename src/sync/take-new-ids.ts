import type { UnitTree } from '../plan/tree.ts';
import { rekeyedUnits } from '../plan/unit-rekeys.ts';
import type { Run } from './world.ts';

/**
 * Units that came back under other source ids keep their nodes, and nobody moves: only the ledger calls them otherwise
 * from here on, and what follows from it is of this plan.
 */
export function takeNewIds({ ledger: { units }, sync }: Run, tree: UnitTree): void {
  const rekeyed = rekeyedUnits({ tree, entries: units.all(), sync });
  if (rekeyed.size > 0) units.rekey(rekeyed);
}
