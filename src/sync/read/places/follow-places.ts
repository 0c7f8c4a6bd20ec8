import { inSteps } from '../../../lib/in-steps.ts';
import { placeOf } from '../../../plan/people/positions.ts';
import type { UnitTree } from '../../../plan/units/tree.ts';
import type { Run } from '../../state/world.ts';

/**
 * Has the records of people read anew that name a unit by a ref which leads elsewhere now, though the records are as
 * before. Called before people are read.
 */
export async function followPlaces({ ledger }: Run, tree: UnitTree): Promise<void> {
  const places = [...new Set(tree.refs)].map((ref) => [ref, usablePlace(ref, tree)] as const);
  await inSteps(ledger.people.followPlaces(new Map(places)));
}

/** Returns the unit that a ref leads to, `null` for the service's root; `undefined`: nobody can be there. */
function usablePlace(ref: string, tree: UnitTree): string | null | undefined {
  const { unit, problem } = placeOf(ref, tree);
  return problem === null ? unit : undefined;
}
