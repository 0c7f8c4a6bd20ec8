import type { Sides } from './sides.ts';
import { rekeyedUnits } from '../../plan/units/unit-rekeys.ts';
import { recoverMoves } from '../refresh/recover-moves.ts';
import type { Run } from '../state/world.ts';

/**
 * Gives units that came back under other source ids their new ids in the ledger. They keep their nodes, and nobody
 * moves; this plan has what follows.
 */
export function takeNewIds(run: Run, { source: { tree }, view }: Sides): void {
  const { units } = run.ledger;
  const rekeyed = rekeyedUnits({ tree, entries: units.all(), sync: run.sync });
  if (rekeyed.size === 0) return;
  units.rekey(rekeyed);
  // Another rollcall may already have made them anew.
  recoverMoves(run, view.rootOrgId);
}
