import type { Reading, Refusal, Unit } from '../../../domain/records/records.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Run } from '../../state/world.ts';

const SHOWS_NOBODY =
  'stays: the record of the unit cannot be used and shows no member, so that nobody knows who is in it';

const MAY_BE =
  'stays: a group of which no id can be read shows no member, and may be this one, so that nobody knows who is in it';

/** Returns the groups of ours of which nobody knows who is in them, with the reason. */
export function silentOf(
  { ledger: { units } }: Run,
  readings: readonly Reading<Unit>[],
): ReadonlyMap<string, string> {
  const silent = new Map<string | null, string>();
  for (const reading of readings) {
    if (!reading.ok && reading.refusal.showsNobody === true) silent.set(reading.refusal.id, SHOWS_NOBODY);
    if (reading.ok && reading.hides !== undefined)
      silent.set(
        reading.record.id,
        `stays: the group ${printable(reading.hides)} in it is not found any more`,
      );
  }
  if (silent.size === 0) return new Map();
  const there = new Set(readings.map((reading) => (reading.ok ? reading.record.id : reading.refusal.id)));
  const mayBe = (id: string): string | undefined => (silent.has(null) && !there.has(id) ? MAY_BE : undefined);
  const ours = units.all().filter(({ state }) => state === 'managed');
  return new Map(
    ours.flatMap(({ id }) => {
      const why = silent.get(id) ?? mayBe(id);
      return why === undefined ? [] : [[id, why] as const];
    }),
  );
}

/** Returns units that are at the top and were below a group of which nobody knows what is in it with that one as parent. */
export function belowSilent(
  { ledger: { units: ours } }: Run,
  units: readonly Unit[],
  refusals: readonly Refusal[],
): readonly Unit[] {
  const silent = new Map(
    refusals.flatMap(({ id, showsNobody, unitRefs: [ref] = [] }) =>
      showsNobody === true && ref !== undefined ? [[id, ref] as const] : [],
    ),
  );
  if (silent.size === 0) return units;
  const there = new Set([...units, ...refusals].map(({ id }) => id));
  // A parent that is missing may be the group of which no id can be read.
  const refOf = (parent: string | null): string | undefined =>
    silent.get(parent) ?? (parent === null || there.has(parent) ? undefined : silent.get(null));
  const parents = new Map(
    ours.all().map(({ id, sent: { parent } }) => [id, parent === null ? undefined : refOf(parent)]),
  );
  return units.map((unit) => {
    const parent = unit.parent === null ? parents.get(unit.id) : undefined;
    return parent === undefined ? unit : { ...unit, parent };
  });
}

/** Returns the units that are groups and show no member. */
export function emptiedIn(readings: readonly Reading<Unit>[]): ReadonlySet<string> {
  return new Set(
    readings.flatMap((reading) => (reading.ok && reading.showsNobody === true ? [reading.record.id] : [])),
  );
}
