import type { UnitTree } from '../plan/tree.ts';
import { rekeyedUnits } from '../plan/unit-rekeys.ts';
import type { Run } from './world.ts';

/**
 * Units that came back under other source ids keep their nodes, and nobody moves: only the ledger calls them otherwise
 * from here on, and what follows from it is of this plan. Returns the former id of each.
 */
export function takeNewIds({ ledger: { units }, sync }: Run, tree: UnitTree): ReadonlyMap<string, string> {
  const rekeyed = rekeyedUnits({ tree, entries: units.all(), sync });
  if (rekeyed.size === 0) return rekeyed;
  units.rekey(rekeyed);
  return new Map([...rekeyed].map(([from, to]) => [to, from]));
}
