import { personTraits, SharedTraits, UnitsAbove, unitTraits } from '../../plan/causes/shared-traits.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { askedAnew } from '../read/asked.ts';
import { describeAsked, describeCause } from '../../plan/words/describe-cause.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';
import type { Run } from '../state/world.ts';
import { unitNames } from '../state/unit-names.ts';

/** What so many of the held people have in common is counted among everybody. */
const SAMPLE = 2_000;

/**
 * Returns the likely cause of each bucket that is held, in words: what its records have in common. Called while what is
 * open is gathered, and nothing is held yet. Reads everybody once, whatever the number of buckets.
 */
export function nameCauses(
  run: Run,
  tree: UnitTree,
  buckets: readonly string[],
): ReadonlyMap<string, string> {
  if (buckets.length === 0) return new Map();
  const asked = askedAnew(run);
  const above = new UnitsAbove(run.ledger.units.all(), tree);
  const shared = new Map([...sharedByPeople(run, above, buckets), ...sharedByUnits(run, above, buckets)]);
  const words = {
    labels: unitLabels(unitNames(run, tree)),
    isThere: (unit: string) => tree.has(unit),
    hasUnitsBelow: (unit: string) => above.isAboveAny(unit),
  };
  return new Map(
    buckets.flatMap((bucket) => {
      const cause = shared.get(bucket)?.cause() ?? null;
      const texts = [
        describeAsked(asked, bucket),
        cause === null ? null : describeCause(cause, { ...words, bucket }),
      ].filter((text) => text !== null);
      return texts.length === 0 ? [] : [[bucket, texts.join('. ')] as const];
    }),
  );
}

type Shared = readonly (readonly [bucket: string, shared: SharedTraits])[];

const isOfUnits = (bucket: string): boolean => bucket.split(' ')[1] === 'unit';

/** The others are those who have an account that works, and those who are to get one. */
function sharedByPeople({ ledger }: Run, above: UnitsAbove, buckets: readonly string[]): Shared {
  const ofPeople = buckets.filter((bucket) => !isOfUnits(bucket));
  if (ofPeople.length === 0) return [];
  const samples = ledger.plan.samples(ofPeople, SAMPLE);
  const all = [...samples].map(([bucket, sample]) => {
    const shared = new SharedTraits(sample.map((one) => personTraits(one, above)));
    return [bucket, shared] as const;
  });
  for (const one of ledger.plan.everybody()) {
    const traits = personTraits(one, above);
    for (const [bucket, shared] of all) {
      const isHeld = one.buckets.includes(bucket);
      if (isHeld || !one.isDisabled) shared.add(traits, isHeld);
    }
  }
  return all;
}

function sharedByUnits({ ledger }: Run, above: UnitsAbove, buckets: readonly string[]): Shared {
  const managed = ledger.units.all().filter(({ state }) => state === 'managed');
  return buckets
    .filter((bucket) => isOfUnits(bucket))
    .map((bucket) => {
      const changes = ledger.plan.openUnits(bucket);
      const ids = new Set(changes.map(({ id }) => id));
      const held = changes.map((one) => unitTraits(one.id, one, above));
      const shared = new SharedTraits(held);
      for (const traits of held) shared.add(traits, true);
      for (const { id } of managed) if (!ids.has(id)) shared.add(unitTraits(id, null, above), false);
      return [bucket, shared] as const;
    });
}
