import type { Held } from '../../domain/changes.ts';
import { neededFor } from '../../plan/units/needed-for.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { OneRecord } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';

/**
 * Lets all of the plan wait for the next run, but for one record and the new units above it. Returns what is held of
 * these: nothing, where no guard holds any of them. Throws a RequestError where others would have to change with it.
 */
export function keepToOne(
  run: Run,
  only: OneRecord,
  { held, tree }: { readonly held: readonly Held[]; readonly tree: UnitTree },
): readonly Held[] {
  const { plan } = run.ledger;
  const needed = neededFor(only, plan.sequencedChanges(), tree);
  plan.waitAllBut(needed.map(({ seq }) => seq));
  run.tally.planAnew(needed.map(({ change }) => change));
  return held.filter(({ hash }) => needed.some(({ hashes }) => hashes.includes(hash)));
}
