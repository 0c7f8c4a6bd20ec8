import type { UnitChange } from '../../domain/changes.ts';
import { foldName } from '../../domain/text/fold.ts';

/**
 * Returns batches for import-orgs. The service names what it imported by path, and its spelling is not specified:
 * siblings whose names are equal apart from case and blanks never share an import.
 */
export function batchUnits(units: readonly UnitChange[], size: number): readonly (readonly UnitChange[])[] {
  const batches: { readonly units: UnitChange[]; readonly names: Set<string> }[] = [];
  for (const unit of units) {
    const name = JSON.stringify([unit.payload.parent, foldName(unit.name)]);
    let batch = batches.find(({ units: taken, names }) => taken.length < size && !names.has(name));
    if (batch === undefined) {
      batch = { units: [], names: new Set() };
      batches.push(batch);
    }
    batch.units.push(unit);
    batch.names.add(name);
  }
  return batches.map(({ units: taken }) => taken);
}
