import type { Clock } from '../../lib/clock.ts';
import { GUARDS, type Guard } from '../../domain/guards.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { timeText } from '../../domain/text/local-time.ts';
import { unhurried } from '../../lib/in-steps.ts';
import { Crowd, describeCause, likelyCause, type Crowds } from '../../plan/words/likely-cause.ts';
import { UnitsAbove } from '../../plan/units/units-above.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';
import { askedAnew } from '../read/asked.ts';
import { unitNames } from '../state/unit-names.ts';

/**
 * Returns the likely cause of each bucket that is held, in words: the trait that its people share, and a query that was
 * edited. Called while the open changes are gathered and nothing is held yet. Reads all people once for all buckets.
 */
export async function nameCauses(
  ledger: Ledger,
  clock: Clock,
  tree: UnitTree,
  buckets: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (buckets.length === 0) return new Map();
  const crowds = await crowdsIn(ledger, new UnitsAbove(ledger.units.all(), tree));
  const words = {
    labels: unitLabels(unitNames(ledger, tree)),
    isThere: (unit: string) => tree.has(unit),
  };
  return new Map(
    buckets.flatMap((bucket) => {
      const crowd = crowds.get(bucket);
      const cause = crowd === undefined ? null : likelyCause(crowd);
      const texts = [askedText(ledger, clock, bucket), cause === null ? null : describeCause(cause, words)];
      const known = texts.filter((text) => text !== null);
      return known.length === 0 ? [] : [[bucket, known.join('. ')] as const];
    }),
  );
}

async function crowdsIn(ledger: Ledger, above: UnitsAbove): Promise<ReadonlyMap<string, Crowds>> {
  const crowds = new Map<string, Crowds>();
  const atWork = new Crowd(above);
  for await (const one of unhurried(ledger.plan.heldPeople())) {
    const crowd = crowds.get(one.bucket) ?? { held: new Crowd(above), heldAtWork: new Crowd(above), atWork };
    crowds.set(one.bucket, crowd);
    crowd.held.add(one, one);
    if (one.isAtWork) crowd.heldAtWork.add(one);
  }
  if (crowds.size > 0) for await (const one of unhurried(ledger.plan.peopleAtWork())) atWork.add(one);
  return crowds;
}

/** Says that the source has lately been asked something else, if that may be why; `null`: it has not. */
function askedText(ledger: Ledger, clock: Clock, bucket: string): string | null {
  const [guard = '', subject] = bucket.split(' ');
  if (!GUARDS[guard as Guard].isOfSource) return null;
  const parts = askedAnew(ledger, clock).filter(({ part }) => (part === 'units') === (subject === 'unit'));
  if (parts.length === 0) return null;
  const latest = Math.max(...parts.map(({ changedAt }) => changedAt ?? 0));
  const names = parts.map(({ part }) => part).join(' and ');
  return `The query, filter or mapping of ${names} is another one since ${timeText(latest)}`;
}
