import type { Spot } from '../../../domain/records/recognition.ts';
import type { Reading, Refusal, Unit } from '../../../domain/records/records.ts';

/** A unit of the last complete read. */
export interface UnitBefore {
  readonly id: string;
  /** `null`: not known. */
  readonly name: string | null;
}

/** Returns the unit whose record was in this place in the last complete read. */
export type UnitIn = (spot: Spot) => UnitBefore | undefined;

const NOT_READABLE =
  '; it could not be read: it is where the record of this unit was in the last complete read, and it is left as it is, ' +
  'with what is below it';

/**
 * Gives a record without id the id of the unit whose record was in its place in the last complete read, and which has no
 * other record: what tells it from others may be hidden. So does one that `source.units.where` leaves out: nobody knows
 * what the expression would say of all that is there.
 */
export function unitsInPlace(readings: readonly Reading<Unit>[], unitIn: UnitIn): readonly Reading<Unit>[] {
  const ids = new Set(readings.map((reading) => idOf(reading)));
  return readings.map((reading) => {
    if (idOf(reading) !== null || reading.spot === undefined) return reading;
    const unit = unitIn(reading.spot);
    if (unit === undefined || ids.has(unit.id)) return reading;
    return { ok: false, refusal: refusalOf(reading, unit), spot: reading.spot };
  });
}

/** Returns the id of a record, `null` where it cannot be read. */
function idOf(reading: Reading<Unit>): string | null {
  if (!reading.ok) return reading.refusal.id;
  return reading.record.id === '' ? null : reading.record.id;
}

function refusalOf(reading: Reading<Unit>, { id, name }: UnitBefore): Refusal {
  if (!reading.ok) {
    const { reason, label = null } = reading.refusal;
    return { ...reading.refusal, id, label: label ?? name, reason: `${reason}${NOT_READABLE}` };
  }
  const reason = `is empty, and source.units.where leaves the record out by what is shown of it${NOT_READABLE}`;
  return {
    subject: 'unit',
    id,
    place: name ?? id,
    field: 'id',
    reason,
    label: name,
    unitRefs: reading.record.refs,
  };
}
