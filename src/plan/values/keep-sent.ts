import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Loss } from '../../domain/records/records.ts';
import type { UnknownAttribute } from '../../domain/records/source.ts';

/** What this read cannot know of anybody, as the configuration names attributes that the directory does not know. */
export interface NotKnown {
  /** `email`, `properties.11`. */
  readonly fields: ReadonlySet<string>;
  /** Fields of positions. */
  readonly positionFields: ReadonlySet<string>;
  /** A rule that would have given units. */
  readonly units: boolean;
}

const PEOPLE = 'source.people.fields.';
const OF_POSITION = /^positions\[\d+\]\./u;

/** `null`: everything is known. */
export function notKnown(unknown: readonly UnknownAttribute[]): NotKnown | null {
  const fields = unknown
    .flatMap(({ places }) => places)
    .filter((place) => place.startsWith(PEOPLE))
    .map((place) => place.slice(PEOPLE.length));
  if (fields.length === 0) return null;
  const ofPositions = fields
    .filter((field) => OF_POSITION.test(field))
    .map((field) => field.replace(OF_POSITION, ''));
  return {
    fields: new Set(fields.filter((field) => !OF_POSITION.test(field))),
    positionFields: new Set(ofPositions.filter((field) => field !== 'unit')),
    units: ofPositions.includes('unit'),
  };
}

const IN_POSITIONS = 'positions.';

/** Together with what cannot be read of one record. What was primary decides by itself where no mark can be read. */
export function alsoLost(lost: NotKnown | null, losses: readonly Loss[]): NotKnown | null {
  if (losses.length === 0) return lost;
  const names = losses.map(({ field }) => field);
  const ofPositions = names
    .filter((name) => name.startsWith(IN_POSITIONS))
    .map((name) => name.slice(IN_POSITIONS.length))
    .filter((name) => name !== 'primary');
  return {
    fields: new Set([...(lost?.fields ?? []), ...names]),
    positionFields: new Set([...(lost?.positionFields ?? []), ...ofPositions]),
    units: lost?.units ?? false,
  };
}

/** Such a field stays as it was sent: nobody's value is cleared for a mistake of the configuration. */
export function keepSent(desired: PersonPayload, sent: PersonPayload, lost: NotKnown): PersonPayload {
  return {
    fields: keepFields(desired.fields, sent.fields, lost.fields),
    positions: keepPositions(desired.positions, sent.positions, lost),
  };
}

/** Fields of a person, a position or a unit. */
export function keepFields(desired: Fields, sent: Fields, lost: ReadonlySet<string>): Fields {
  const kept = Object.entries(sent).filter(([name]) => lost.has(name) && !(name in desired));
  const properties = keepProperties(desired['properties'], sent['properties'], lost);
  return { ...desired, ...Object.fromEntries(kept), ...(properties !== null && { properties }) };
}

type Properties = Readonly<Record<string, readonly string[]>>;

function isMap(value: FieldValue | null | undefined): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keepProperties(
  desired: FieldValue | null | undefined,
  sent: FieldValue | null | undefined,
  lost: ReadonlySet<string>,
): FieldValue | null {
  if (!isMap(desired) || !isMap(sent)) return null;
  const kept = Object.entries(sent).filter(([id]) => lost.has(`properties.${id}`) && !(id in desired));
  return { ...desired, ...Object.fromEntries(kept) };
}

function keepPositions(
  desired: readonly PlacedPosition[],
  sent: readonly PlacedPosition[],
  { positionFields, units }: NotKnown,
): readonly PlacedPosition[] {
  const before = new Map(sent.map((position) => [position.unit, position]));
  const now = desired.map(({ unit, fields }) => ({
    unit,
    fields: keepFields(fields, before.get(unit)?.fields ?? {}, positionFields),
  }));
  const named = new Set(desired.map(({ unit }) => unit));
  const more = units ? sent.filter(({ unit }) => !named.has(unit)) : [];
  return [...now, ...more].toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1));
}
