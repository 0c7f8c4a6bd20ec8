import { isMap, propertiesOf } from '../../domain/records/emptied.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Loss } from '../../domain/records/records.ts';
import type { UnknownAttribute } from '../../domain/reading/source-part.ts';

/**
 * What this read cannot know about any person, because the configuration names attributes that the directory
 * does not know.
 */
export interface NotKnown {
  /** Fields of the person, as `email` or `properties.11`. */
  readonly fields: ReadonlySet<string>;
  /** Fields of positions. */
  readonly positionFields: ReadonlySet<string>;
  /** Whether it is a rule that would have given units. */
  readonly units: boolean;
}

const PEOPLE = 'source.people.fields.';
const OF_POSITION = /^positions\[\d+\]\./u;

/** Returns what cannot be known, `null` if everything is. */
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
    fields: new Set(fields.filter((field) => !OF_POSITION.test(field)).map(wholeField)),
    positionFields: new Set(ofPositions.filter((field) => field !== 'unit')),
    units: ofPositions.includes('unit'),
  };
}

/** Tags of all groups are one list: it is kept as a whole. */
const wholeField = (field: string): string => (field.startsWith('tag_names.') ? 'tag_names' : field);

const IN_POSITIONS = 'positions.';

/**
 * Adds what cannot be read of one record. `primary` is left out: if no mark can be read, the position that was
 * primary stays so.
 */
export function alsoLost(lost: NotKnown | null, losses: readonly Loss[]): NotKnown | null {
  if (losses.length === 0) return lost;
  const names = losses.map(({ field }) => field);
  const ofPositions = names
    .filter((name) => name.startsWith(IN_POSITIONS))
    .map((name) => name.slice(IN_POSITIONS.length))
    .filter((name) => name !== 'primary');
  return {
    fields: new Set([...(lost?.fields ?? []), ...names.map(wholeField)]),
    positionFields: new Set([...(lost?.positionFields ?? []), ...ofPositions]),
    units: lost?.units ?? false,
  };
}

/** Keeps such fields as they were sent, so that a mistake in the configuration clears no values. */
export function keepSent(desired: PersonPayload, sent: PersonPayload, lost: NotKnown): PersonPayload {
  return {
    fields: keepFields(desired.fields, sent.fields, lost.fields),
    positions: keepPositions(desired.positions, sent.positions, lost),
  };
}

/** Keeps fields of a person, a position or a unit as they were sent, if they are lost in this read. */
export function keepFields(desired: Fields, sent: Fields, lost: ReadonlySet<string>): Fields {
  const kept = Object.entries(sent).filter(([name]) => lost.has(name) && !(name in desired));
  return { ...keepProperties(desired, sent, lost), ...Object.fromEntries(kept) };
}

function keepProperties(desired: Fields, sent: Fields, lost: ReadonlySet<string>): Fields {
  if (!isMap(desired['properties']) || !isMap(sent['properties'])) return desired;
  const now = propertiesOf(desired['properties']);
  const kept = Object.entries(propertiesOf(sent['properties'])).filter(
    ([id]) => lost.has(`properties.${id}`) && !(id in now),
  );
  return { ...desired, properties: { ...now, ...Object.fromEntries(kept) } as FieldValue };
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
