import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { UnitTree } from './tree.ts';

/** Deeper than any company; ends a circle that others may have left in the ledger. */
const DEEPEST = 100;

/** Knows of each unit what is above it: where it stood before, else where it is. */
export class UnitsAbove {
  readonly #units: readonly [entries: readonly UnitEntry[], tree: Pick<UnitTree, 'nodes'>];
  /** Made for the first question: most runs have none. */
  #parents: ReadonlyMap<string, string | null> | null = null;
  readonly #paths = new Map<string, readonly string[]>();

  constructor(entries: readonly UnitEntry[], tree: Pick<UnitTree, 'nodes'>) {
    this.#units = [entries, tree];
  }

  /** Returns the unit, and each one above it. */
  path(unit: string): readonly string[] {
    const known = this.#paths.get(unit) ?? this.#walk(unit);
    this.#paths.set(unit, known);
    return known;
  }

  #walk(unit: string): readonly string[] {
    const parents = (this.#parents ??= parentsIn(...this.#units));
    const path = [unit];
    for (let up = parents.get(unit); typeof up === 'string'; up = parents.get(up)) {
      if (path.length > DEEPEST || path.includes(up)) break;
      path.push(up);
    }
    return path;
  }
}

function parentsIn(
  entries: readonly UnitEntry[],
  tree: Pick<UnitTree, 'nodes'>,
): ReadonlyMap<string, string | null> {
  const sent = (isRemoved: boolean): readonly (readonly [string, string | null])[] =>
    entries
      .filter(({ state }) => (state === 'removed') === isRemoved)
      .map((entry) => [entry.id, entry.sent.parent]);
  const now = [...tree.nodes].map(([id, { parent }]) => [id, parent] as const);
  return new Map([...sent(true), ...now, ...sent(false)]);
}
