import { unitName, type UnitTree } from '../../plan/units/tree.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';

/** Returns the name of every unit by source id: those of the read, and those that only the ledger still knows. */
export function unitNames({ units }: Ledger, tree: UnitTree): ReadonlyMap<string, string> {
  const known = units.all().map(({ id, sent }) => [id, unitName(sent) || id] as const);
  return new Map([...known, ...tree.names]);
}
