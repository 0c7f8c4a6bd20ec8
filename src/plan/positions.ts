import type { PlacedPosition } from '../domain/payload.ts';
import type { Position } from '../domain/records.ts';
import type { UnitTree } from './tree.ts';

export interface Placement {
  /** One per unit, by unit id; primary only where the source marked it. */
  readonly positions: readonly PlacedPosition[];
  /** Why the positions cannot be used, or `null`. */
  readonly problem: string | null;
  /** Every unit that the record names is unknown. */
  readonly orphan: boolean;
}

const keyOf = (unit: string | null): string => unit ?? '';

/** Two positions in one unit are one: what either says holds, a mark wins over none. */
function merge(a: PlacedPosition, b: PlacedPosition): PlacedPosition {
  const fields = { ...b.fields };
  for (const [name, value] of Object.entries(a.fields)) {
    if (fields[name] === undefined || fields[name] === null || value === true) fields[name] = value;
  }
  return { unit: a.unit, fields };
}

/** Finds the unit of each position and makes a set of them, in an order that does not depend on the source's. */
export function placePositions(positions: readonly Position[], tree: UnitTree): Placement {
  const placed = new Map<string, PlacedPosition>();
  const problems: string[] = [];
  let unknown = 0;
  for (const { unit: ref, fields } of positions) {
    const target = ref === null ? ({ is: 'root' } as const) : tree.resolve(ref);
    if (target.is === 'unknown' || target.is === 'ambiguous') {
      unknown += 1;
      problems.push(target.is === 'unknown' ? `unit "${ref}" is unknown` : `"${ref}" names several units`);
      continue;
    }
    const unit = target.is === 'root' ? null : target.id;
    const problem = unit === null ? undefined : tree.problems.get(unit);
    if (problem !== undefined) problems.push(`unit ${unit} is left as it is: ${problem}`);
    const position = { unit, fields };
    const same = placed.get(keyOf(unit));
    placed.set(keyOf(unit), same === undefined ? position : merge(same, position));
  }
  if (positions.length === 0) problems.push('it has no position, and the service requires one');
  return {
    positions: [...placed.values()].toSorted((a, b) => (keyOf(a.unit) < keyOf(b.unit) ? -1 : 1)),
    problem: problems.length === 0 ? null : problems.join('; '),
    orphan: positions.length > 0 && unknown === positions.length,
  };
}

const isPrimary = ({ fields }: PlacedPosition): boolean => fields['primary'] === true;

/** Contract, Fields: the marked one (several: lowest unit id), else the one that was primary, else the lowest. */
export function withPrimary(
  positions: readonly PlacedPosition[],
  before: readonly PlacedPosition[],
): readonly PlacedPosition[] {
  const was = before.find(isPrimary)?.unit;
  const primary = positions.find(isPrimary) ?? positions.find(({ unit }) => unit === was) ?? positions[0];
  return positions.map((position) => ({
    unit: position.unit,
    fields: { ...position.fields, primary: position === primary },
  }));
}
