import type { Doubt, Reading, Seen, Unit } from '../../../domain/records/records.ts';
import { doubtOfRecord } from '../../../plan/doubt/doubt.ts';
import { decidingRules } from '../../state/deciding-rules.ts';
import type { Run } from '../../state/world.ts';

interface SeenUnits {
  /** What is known of each unit from now on, by source id. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Why nothing explains that a unit of ours is left out, or that another one is not left out any more. */
  readonly doubts: ReadonlyMap<string, Doubt>;
}

/** Compares what units have of the names that `source.units.where` reads with what they had. */
export function seenUnits(run: Run, readings: readonly Reading<Unit>[]): SeenUnits {
  const { ledger } = run;
  const [seen, doubts] = [new Map<string, Seen>(), new Map<string, Doubt>()];
  if (!readings.some((reading) => reading.ok && reading.has !== undefined)) return { seen, doubts };
  const before = ledger.seen.units();
  const ours = new Set(ledger.units.all().flatMap(({ id, state }) => (state === 'removed' ? [] : [id])));
  const rules = decidingRules(run);
  for (const reading of readings) {
    if (!reading.ok || reading.has === undefined || reading.record.id === '') continue;
    const { id, outOfScope } = reading.record;
    const known = before.get(id);
    const isTurned = ours.has(id) === (outOfScope !== undefined);
    const doubt = isTurned && known !== undefined ? doubtOfRecord(known, reading.has, rules) : null;
    if (doubt !== null) doubts.set(id, doubt);
    seen.set(id, doubt !== null && known !== undefined ? known : { has: reading.has, rules });
  }
  return { seen, doubts };
}
