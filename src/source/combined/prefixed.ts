import type { Person, Position, PositionRow, Reading, Refusal, Unit } from '../../domain/records/records.ts';

/** How ids and references of one source are spelled among those of others. */
export interface Spelling {
  readonly id: (id: string) => string;
  /** Spells what names a unit. */
  readonly ref: (ref: string) => string;
}

/** Returns the spelling of a source whose ids have a prefix. */
export function spellingOf(prefix: string, hasUnits: boolean): Spelling {
  const spelled = (text: string): string => `${prefix}${text}`;
  // People of a source without units name those of another one.
  return { id: spelled, ref: hasUnits ? spelled : (ref) => ref };
}

export function spelledUnit(reading: Reading<Unit>, spelling: Spelling): Reading<Unit> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, spelling) };
  const { id, refs, parent } = reading.record;
  const record: Unit = {
    ...reading.record,
    id: id === '' ? id : spelling.id(id),
    refs: refs.map((ref) => spelling.ref(ref)),
    parent: parent === null ? null : spelling.ref(parent),
  };
  return { ...reading, record };
}

export function spelledPerson(reading: Reading<Person>, spelling: Spelling): Reading<Person> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, spelling) };
  const { id, positions } = reading.record;
  const record: Person = {
    ...reading.record,
    id: id === '' ? id : spelling.id(id),
    positions: positions.map((position) => spelledPosition(position, spelling)),
  };
  return { ...reading, record };
}

export function spelledRow(reading: Reading<PositionRow>, spelling: Spelling): Reading<PositionRow> {
  if (!reading.ok) return spelledRefusal(reading.refusal, spelling);
  const { person, position } = reading.record;
  return {
    ok: true,
    record: {
      ...reading.record,
      person: spelling.id(person),
      position: spelledPosition(position, spelling),
    },
  };
}

function spelledPosition(position: Position, { ref }: Spelling): Position {
  return position.unit === null ? position : { ...position, unit: ref(position.unit) };
}

function spelledRefusal<T>(refusal: Refusal, spelling: Spelling): Reading<T> {
  const { id, unitRefs } = refusal;
  return {
    ok: false,
    refusal: {
      ...refusal,
      id: id === null ? null : spelling.id(id),
      ...(unitRefs !== undefined && { unitRefs: unitRefs.map((ref) => spelling.ref(ref)) }),
    },
  };
}
