import type { PinnedUnit } from '../../domain/records/pin.ts';
import type { Unit } from '../../domain/records/records.ts';
import { buildTree, type UnitTree } from '../units/tree.ts';

/** What units should be in place of what the source says, by source id; `null`: they are not to be there. */
export type PinnedUnits = ReadonlyMap<string, PinnedUnit>;

/**
 * Returns the tree with these units as they are pinned, also those that the source does not have. A unit that is not to
 * be there has a problem in place of a node, and counts as missing; what hangs below it waits.
 */
export function pinnedTree(tree: UnitTree, pinned: PinnedUnits): UnitTree {
  if (pinned.size === 0) return tree;
  const absent = new Set([...pinned].flatMap(([id, wanted]) => (wanted === null ? [id] : [])));
  const units = unitsOf(tree, pinned);
  const built = buildTree({ units, refusals: [], root: null });
  const inSource = [...tree.problems].filter(([id]) => !pinned.has(id));
  const away = [...absent]
    .filter((id) => tree.has(id))
    .map((id) => [id, { code: 'revertedCreation' }] as const);
  return {
    ...tree,
    nodes: built.nodes,
    problems: new Map([...inSource, ...built.problems, ...away]),
    names: new Map([...tree.names, ...built.names]),
    has: (id) => !absent.has(id) && (tree.has(id) || pinned.has(id)),
  };
}

/** Stands for the parent of a unit that is not to be there: what is below it cannot be placed. */
const NOWHERE = '';

/** Returns the units, each with its parent by source id. */
function unitsOf(tree: UnitTree, pinned: PinnedUnits): readonly Unit[] {
  const read = [...tree.nodes.values()]
    .filter(({ unit }) => !pinned.has(unit.id))
    .map(({ unit, parent }) => ({ ...unit, refs: [unit.id], parent }));
  const own = [...pinned].flatMap(([id, wanted]) => {
    if (wanted === null && !tree.has(id)) return [];
    const { fields, parent } = wanted ?? { fields: tree.nodes.get(id)?.unit.fields ?? {}, parent: NOWHERE };
    return [{ id, refs: [id], parent, fields }];
  });
  return [...read, ...own];
}
