import { personTraits, SharedTraits } from '../../plan/causes/shared-traits.ts';
import { UnitsAbove } from '../../plan/units/units-above.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unhurried } from '../../lib/in-steps.ts';
import { askedAnew } from '../read/asked.ts';
import { describeAsked, describeCause } from '../../plan/words/describe-cause.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';
import type { Run } from '../state/world.ts';
import { unitNames } from '../state/unit-names.ts';

/** Number of held people whose traits are counted among all people. */
const SAMPLE = 2_000;

/**
 * Returns the likely cause of each bucket that is held, in words: the traits that its records share. Called
 * while the open changes are gathered and nothing is held yet. Reads all people once for all buckets.
 */
export async function nameCauses(
  run: Run,
  tree: UnitTree,
  buckets: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (buckets.length === 0) return new Map();
  const asked = askedAnew(run);
  const above = new UnitsAbove(run.ledger.units.all(), tree);
  const shared = await sharedByPeople(run, above, buckets);
  const words = { labels: unitLabels(unitNames(run, tree)), isThere: (unit: string) => tree.has(unit) };
  return new Map(
    buckets.flatMap((bucket) => {
      const cause = shared.get(bucket)?.cause() ?? null;
      const texts = [describeAsked(asked, bucket), cause === null ? null : describeCause(cause, words)];
      const known = texts.filter((text) => text !== null);
      return known.length === 0 ? [] : [[bucket, known.join('. ')] as const];
    }),
  );
}

/** The others are those who have an account that works, and those who are to get one. */
async function sharedByPeople(
  { ledger }: Run,
  above: UnitsAbove,
  buckets: readonly string[],
): Promise<ReadonlyMap<string, SharedTraits>> {
  const ofPeople = buckets.filter((bucket) => bucket.split(' ')[1] !== 'unit');
  if (ofPeople.length === 0) return new Map();
  const { samples, everybody } = ledger.plan.causeSamples(ofPeople, SAMPLE);
  const all = new Map(
    [...samples].map(([bucket, sample]) => {
      const traits = sample.map((one) => personTraits(one, above));
      return [bucket, new SharedTraits(traits)];
    }),
  );
  for await (const one of unhurried(everybody)) {
    const traits = personTraits(one, above);
    for (const [bucket, shared] of all) {
      const isHeld = one.buckets.includes(bucket);
      if (isHeld || !one.isDisabled) shared.add(traits, isHeld);
    }
  }
  return all;
}
