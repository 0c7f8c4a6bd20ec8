import type { Sides } from './sides.ts';
import { rekeyedUnits } from '../../plan/units/unit-rekeys.ts';
import { recoverMoves } from '../refresh/recover-moves.ts';
import type { Run } from '../state/world.ts';

/**
 * Units that came back under other source ids keep their nodes, and nobody moves: only the ledger calls them otherwise
 * from here on, and what follows from it is of this plan.
 */
export function takeNewIds(run: Run, { source: { tree }, view }: Sides): void {
  const { units } = run.ledger;
  const rekeyed = rekeyedUnits({ tree, entries: units.all(), sync: run.sync });
  if (rekeyed.size === 0) return;
  units.rekey(rekeyed);
  // Another rollcall may have made them anew already.
  recoverMoves(run, view.rootOrgId);
}
