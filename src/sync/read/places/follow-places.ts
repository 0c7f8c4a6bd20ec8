import { digest } from '../../../lib/digest.ts';
import { inSteps } from '../../../lib/in-steps.ts';
import { placeOf } from '../../../plan/people/positions.ts';
import type { UnitTree } from '../../../plan/units/tree.ts';
import type { Run } from '../../state/world.ts';

/**
 * Has the records of people read anew that name a unit by a ref which leads elsewhere now, though the records are as
 * before. Called before people are read. Returns what tells where refs lead from other places.
 */
export async function followPlaces({ ledger }: Run, tree: UnitTree): Promise<string> {
  const refs = [...new Set(tree.refs)].toSorted();
  const places = refs.map((ref) => [ref, usablePlace(ref, tree)] as const);
  await inSteps(ledger.people.followPlaces(new Map(places)));
  return digest(JSON.stringify(places));
}

/** Returns the unit that a ref leads to, empty for the service's root; `null`: nobody can be there. */
function usablePlace(ref: string, tree: UnitTree): string | null {
  const { unit, problem } = placeOf(ref, tree);
  return problem === null ? (unit ?? '') : null;
}
