import { unitName, type UnitTree } from '../../plan/units/tree.ts';
import type { Run } from './world.ts';

/** Returns the name of every unit by source id: those of the read, and those that only the ledger still knows. */
export function unitNames({ ledger }: Run, tree: UnitTree): ReadonlyMap<string, string> {
  const known = ledger.units.all().map(({ id, sent }) => [id, unitName(sent) || id] as const);
  return new Map([...known, ...tree.names]);
}
