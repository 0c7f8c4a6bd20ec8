import type { Reading, Unit } from '../../../domain/records/records.ts';
import type { Run } from '../../state/world.ts';

interface Had {
  /** What each unit has that `source.units.where` reads, or had before it was absent. */
  readonly had: ReadonlyMap<string, readonly string[]>;
  /** What a unit of ours that is left out has not any more, or one that is not left out any more. */
  readonly absent: ReadonlyMap<string, readonly string[]>;
}

/** Compares what units have of what decides about them with what they had: it may be hidden. */
export function hadIn({ ledger: { units } }: Run, readings: readonly Reading<Unit>[]): Had {
  const [had, absent] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  if (!readings.some((reading) => reading.ok && reading.has !== undefined)) return { had, absent };
  const before = units.had();
  const ours = new Set(units.all().flatMap(({ id, state }) => (state === 'removed' ? [] : [id])));
  for (const reading of readings) {
    if (!reading.ok || reading.has === undefined || reading.record.id === '') continue;
    const { id, outOfScope } = reading.record;
    const { has } = reading;
    const known = before.get(id) ?? [];
    const gone = known.filter((name) => !has.includes(name));
    const isTurned = ours.has(id) === (outOfScope !== undefined);
    if (isTurned && gone.length > 0) absent.set(id, gone);
    had.set(id, absent.has(id) ? known : has);
  }
  return { had, absent };
}
