import { isMap, propertiesOf } from '../../domain/records/emptied.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Loss } from '../../domain/records/records.ts';
import type { UnknownAttribute } from '../../domain/reading/source-part.ts';

/**
 * Names of values that cannot be read: fields of a person, as `email` or `properties.11`, and of positions, as
 * `positions.job_title`; `PLACES`: a rule that would have given units.
 */
type Lost = ReadonlySet<string>;

const PEOPLE = 'source.people.fields.';
const OF_POSITION = /^positions\[\d+\]\./u;
const IN_POSITIONS = 'positions.';
export const PLACES = 'positions[]';

/** Returns what cannot be read of anybody, because the configuration names attributes that the directory does not know. */
export function lostOfAll(unknown: readonly UnknownAttribute[]): Lost {
  const places = unknown.flatMap((one) => one.places).filter((place) => place.startsWith(PEOPLE));
  const names = places.map((place) => place.slice(PEOPLE.length).replace(OF_POSITION, IN_POSITIONS));
  return new Set(names.map((name) => (name === 'positions.unit' ? PLACES : wholeField(name))));
}

/** Tags of all groups are one list: it is kept as a whole. */
const wholeField = (field: string): string => (field.startsWith('tag_names.') ? 'tag_names' : field);

/**
 * Adds what cannot be read of one record. `primary` is left out: if no mark can be read, the position that was
 * primary stays so.
 */
export function alsoLost(lost: Lost, losses: readonly Loss[]): Lost {
  if (losses.length === 0) return lost;
  const names = losses.map(({ field }) => wholeField(field));
  return new Set([...lost, ...names.filter((name) => name !== 'positions.primary')]);
}

/** Keeps such values as they were sent, so that a mistake in the configuration clears none. */
export function keepSent(desired: PersonPayload, sent: PersonPayload, lost: Lost): PersonPayload {
  return {
    fields: keepFields(desired.fields, sent.fields, lost),
    positions: keepPositions(desired.positions, sent.positions, lost),
  };
}

/** Keeps fields of a person, a position or a unit as they were sent, if they are lost in this read. */
export function keepFields(desired: Fields, sent: Fields, lost: Lost): Fields {
  const kept = Object.entries(sent).filter(([name]) => lost.has(name) && !(name in desired));
  return { ...keepProperties(desired, sent, lost), ...Object.fromEntries(kept) };
}

function keepProperties(desired: Fields, sent: Fields, lost: Lost): Fields {
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
  lost: Lost,
): readonly PlacedPosition[] {
  const before = new Map(sent.map((position) => [position.unit, position]));
  const ofPositions = new Set(
    [...lost].flatMap((name) => (name.startsWith(IN_POSITIONS) ? [name.slice(IN_POSITIONS.length)] : [])),
  );
  const now = desired.map(({ unit, fields }) => ({
    unit,
    fields: keepFields(fields, before.get(unit)?.fields ?? {}, ofPositions),
  }));
  const named = new Set(desired.map(({ unit }) => unit));
  const more = lost.has(PLACES) ? sent.filter(({ unit }) => !named.has(unit)) : [];
  return [...now, ...more].toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1));
}
