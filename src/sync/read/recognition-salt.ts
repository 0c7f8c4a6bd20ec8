import { digest } from '../../lib/digest.ts';
import { placeOf } from '../../plan/people/positions.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { Run } from '../state/world.ts';

/** A higher number makes every record be decoded once: for changes of what records are mapped to. */
const VERSION = 1;

/** What records of people depend on beside themselves. */
export interface Dependences {
  readonly tree: UnitTree;
  /** What tells the rows of positions from others. */
  readonly rows: string;
  /** The mapping, and what names of properties mean. */
  readonly mapping: string;
}

/**
 * Returns everything that decides what becomes of a person's record beside the record, as a text; `null`: something
 * that no text has does.
 */
export function recognitionSalt({ source, sync }: Run, { tree, rows, mapping }: Dependences): string | null {
  if (source.besides === null) return null;
  const { usernameChange, orphans, protect } = sync;
  const ours = [usernameChange, orphans, protect.where ?? null];
  return digest(JSON.stringify([VERSION, mapping, source.besides, source.asks, ours, placesIn(tree), rows]));
}

/** Returns where each ref leads: a person follows a change of the units that their record names. */
function placesIn(tree: UnitTree): readonly (readonly unknown[])[] {
  return [...new Set(tree.refs)].toSorted().map((ref) => [ref, placeOf(ref, tree)]);
}
