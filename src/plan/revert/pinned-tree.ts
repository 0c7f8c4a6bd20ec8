import type { PinnedUnit } from '../../domain/records/pin.ts';
import type { Unit } from '../../domain/records/records.ts';
import { buildTree, type UnitTree } from '../units/tree.ts';

/** What units should be in place of what the source says, by source id; `null`: they are not to be there. */
export type PinnedUnits = ReadonlyMap<string, PinnedUnit>;

/**
 * Returns the tree with these units as they are pinned, also those that the source does not have. A unit that is not to
 * be there has a problem in place of a node, and counts as missing; what hangs below it waits.
 *
 * @param why of units that are not to be there
 */
export function pinnedTree(tree: UnitTree, pinned: PinnedUnits, why: (id: string) => string): UnitTree {
  if (pinned.size === 0) return tree;
  const absent = new Set([...pinned].flatMap(([id, wanted]) => (wanted === null ? [id] : [])));
  const units = unitsOf(tree, pinned);
  const built = buildTree({ units, refusals: [], root: null });
  const parents = new Map(units.map(({ id, parent }) => [id, parent]));
  const below = [...built.problems.keys()].flatMap((id) => {
    const above = absentAbove(id, parents, absent);
    return above === null ? [] : [[id, `waits for unit ${above}: ${why(above)}`] as const];
  });
  const inSource = [...tree.problems].filter(([id]) => !pinned.has(id));
  const kept = [...absent].filter((id) => tree.has(id)).map((id) => [id, why(id)] as const);
  return {
    ...tree,
    nodes: built.nodes,
    problems: new Map([...inSource, ...built.problems, ...below, ...kept]),
    names: new Map([...tree.names, ...built.names]),
    has: (id) => !absent.has(id) && (tree.has(id) || pinned.has(id)),
  };
}

/** Returns the unit above that is not to be there; `null`: there is none. */
function absentAbove(
  id: string,
  parents: ReadonlyMap<string, string | null>,
  absent: ReadonlySet<string>,
): string | null {
  const seen = new Set<string>();
  for (let at = parents.get(id) ?? null; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (absent.has(at)) return at;
    seen.add(at);
  }
  return null;
}

/** Returns the units that can be placed, each with its parent by source id. */
function unitsOf(tree: UnitTree, pinned: PinnedUnits): readonly Unit[] {
  const read = [...tree.nodes.values()]
    .filter(({ unit }) => !pinned.has(unit.id))
    .map(({ unit, parent }) => ({ ...unit, refs: [unit.id], parent }));
  const own = [...pinned].flatMap(([id, wanted]) =>
    wanted === null ? [] : [{ id, refs: [id], parent: wanted.parent, fields: wanted.fields }],
  );
  return [...read, ...own];
}
