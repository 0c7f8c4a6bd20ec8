import type { Person, Position, PositionRow, Reading, Refusal, Unit } from '../../domain/records/records.ts';

/** What stands before ids and references of one source among those of others. */
export interface Prefixes {
  /** Stands before each id. */
  readonly idPrefix: string;
  /** Stands before what names a unit. */
  readonly unitPrefix: string;
}

export function spelledUnit(reading: Reading<Unit>, prefixes: Prefixes): Reading<Unit> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, prefixes) };
  const { id, refs, parent } = reading.record;
  const record: Unit = {
    ...reading.record,
    id: id === '' ? id : `${prefixes.idPrefix}${id}`,
    refs: refs.map((ref) => `${prefixes.unitPrefix}${ref}`),
    parent: parent === null ? null : `${prefixes.unitPrefix}${parent}`,
  };
  return { ...reading, record };
}

export function spelledPerson(reading: Reading<Person>, prefixes: Prefixes): Reading<Person> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, prefixes) };
  const { id, positions } = reading.record;
  const record: Person = {
    ...reading.record,
    id: id === '' ? id : `${prefixes.idPrefix}${id}`,
    positions: positions.map((position) => spelledPosition(position, prefixes)),
  };
  return { ...reading, record };
}

export function spelledRow(reading: Reading<PositionRow>, prefixes: Prefixes): Reading<PositionRow> {
  if (!reading.ok) return spelledRefusal(reading.refusal, prefixes);
  const { person, position } = reading.record;
  return {
    ok: true,
    record: {
      ...reading.record,
      person: `${prefixes.idPrefix}${person}`,
      position: spelledPosition(position, prefixes),
    },
  };
}

function spelledPosition(position: Position, { unitPrefix }: Prefixes): Position {
  return position.unit === null ? position : { ...position, unit: `${unitPrefix}${position.unit}` };
}

function spelledRefusal<T>(refusal: Refusal, prefixes: Prefixes): Reading<T> {
  const { id, unitRefs } = refusal;
  return {
    ok: false,
    refusal: {
      ...refusal,
      id: id === null ? null : `${prefixes.idPrefix}${id}`,
      ...(unitRefs !== undefined && { unitRefs: unitRefs.map((ref) => `${prefixes.unitPrefix}${ref}`) }),
    },
  };
}
