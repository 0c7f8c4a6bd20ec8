import type { UnitChange } from '../../domain/changes.ts';
import type { UnitTree } from '../units/tree.ts';
import { unitName } from '../units/unit-name.ts';

/** What becomes of a unit. `again`: it is gone, and another unit has its name. */
export type UnitStanding = 'gone' | 'again' | 'moved' | 'renamed' | 'blocked' | 'there';

export interface UnitsNow {
  readonly tree: Pick<UnitTree, 'has' | 'problems' | 'nodes'>;
  readonly changes: readonly UnitChange[];
  /** Names by source id, of units that are gone too. */
  readonly names: ReadonlyMap<string, string>;
}

/** Returns what becomes of a unit. */
export function standingOf(unit: string, { tree, changes, names }: UnitsNow): UnitStanding {
  if (!tree.has(unit)) {
    const name = names.get(unit);
    return [...tree.nodes.values()].some((node) => unitName(node.unit) === name) ? 'again' : 'gone';
  }
  if (tree.problems.has(unit)) return 'blocked';
  const own = changes.filter(({ id }) => id === unit);
  if (own.some(({ kind }) => kind === 'move')) return 'moved';
  return own.some(({ fields }) => fields.some(({ field }) => field === 'name')) ? 'renamed' : 'there';
}
