import type { FieldChange } from '../../domain/changes.ts';
import { LISTED_POSITION_FIELDS, type Fields, type FieldValue } from '../../domain/records/fields.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import type { EmployeePosition } from '../../domain/ports/service.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { isCompared, nodeToCome, sameValue, spellPosition } from './compare.ts';
import { isNothing } from './unmapped.ts';

export interface PersonMapping {
  readonly fields: Fields;
  readonly positions: readonly PlacedPosition[];
}

/** Returns what the service should show of a payload: its fields, and its positions by organization id. */
export function expectedOf(
  payload: PersonMapping,
  orgIdOf: (unit: string | null) => string | undefined,
): Shown {
  const positions = payload.positions.map(({ unit, fields }) => ({
    orgId: orgIdOf(unit) ?? nodeToCome(unit),
    fields,
  }));
  return { fields: payload.fields, positions };
}

type NameOf = (orgId: string) => string;

/** Which nodes are ours, and how they are called. */
export interface Nodes {
  /** Positions at other nodes belong to others and are not compared. Without it all are ours. */
  readonly isOurs?: ((orgId: string) => boolean) | undefined;
  /** How a change spells a node; without it, by its id. */
  readonly nameOf?: NameOf;
}

/** Compares two shown values: a service may show a field without value as a new account has it. */
function sameShown(
  field: string,
  a: FieldValue | null | undefined,
  b: FieldValue | null | undefined,
): boolean {
  return sameValue(a, b) || (isNothing(field, a) && isNothing(field, b));
}

/**
 * Returns the mapped part of a shown value: of properties, those of the mapped schemas that have values; of tags by
 * name, the set of names, because the groups are not shown.
 */
function mappedPart(
  field: string,
  value: FieldValue | null | undefined,
  mapped: FieldValue | null | undefined,
): FieldValue | null {
  return field === 'tag_names' ? tagsOf(value) : partOf(value, mapped);
}

function tagsOf(value: FieldValue | null | undefined): FieldValue | null {
  if (value === null || value === undefined || typeof value !== 'object') return value ?? null;
  const names = new Set(Object.values<string | readonly string[]>(value).flat());
  return names.size === 0 ? null : [...names].toSorted();
}

function partOf(
  value: FieldValue | null | undefined,
  mapped: FieldValue | null | undefined,
): FieldValue | null {
  if (value === null || value === undefined || !isRecord(value)) return value ?? null;
  const ids = mapped !== null && mapped !== undefined && isRecord(mapped) ? mapped : value;
  const part = Object.entries(value).filter(([id, inner]) => id in ids && !isNothing('properties', inner));
  return part.length === 0 ? null : (Object.fromEntries(part) as FieldValue);
}

function isRecord(value: FieldValue): value is Exclude<FieldValue, string | boolean | readonly string[]> {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Which fields are compared at each node with a mapped position: the mapped ones of those that are shown, and `primary`. */
type ComparedAt = ReadonlyMap<string, readonly string[]>;

const comparedOf = (fields: Fields): readonly string[] =>
  LISTED_POSITION_FIELDS.filter((name) => name === 'primary' || name in fields);

const comparedAt = (positions: readonly EmployeePosition[]): ComparedAt =>
  new Map(positions.map(({ orgId, fields }) => [orgId, comparedOf(fields)]));

/** Returns whether each of the positions is among the others. */
function areAmong(
  positions: readonly EmployeePosition[],
  others: readonly EmployeePosition[],
  at: ComparedAt,
): boolean {
  return positions.every(({ orgId, fields }) => {
    const names = at.get(orgId) ?? LISTED_POSITION_FIELDS;
    return others.some(
      (other) =>
        other.orgId === orgId && names.every((name) => isSameInPosition(fields[name], other.fields[name])),
    );
  });
}

/** Compares two values of a position, where `false` is the same as no value. */
const isSameInPosition = (a: FieldValue | null | undefined, b: FieldValue | null | undefined): boolean =>
  sameValue(a === false ? null : a, b === false ? null : b);

function spellShown(
  positions: readonly EmployeePosition[],
  at: ComparedAt,
  nameOf: NameOf = (orgId) => orgId,
): readonly string[] {
  const spelled = positions.map(({ orgId, fields }) => {
    const compared = (at.get(orgId) ?? LISTED_POSITION_FIELDS).map((name) => [name, fields[name] ?? null]);
    return spellPosition(nameOf(orgId), Object.fromEntries(compared) as Fields);
  });
  return spelled.toSorted();
}

/**
 * Returns what differs between two shown records. Only mapped fields, mapped properties and positions in
 * managed units count. This is the only place that decides it. Each change leads back: from the value in `to`
 * to the value in `from`.
 *
 * @param expected what should be shown; its fields and nodes are those that are mapped
 */
export function changedShown(
  from: Shown,
  to: Shown,
  expected: Shown,
  { isOurs, nameOf }: Nodes = {},
): readonly FieldChange[] {
  const part = ({ fields: its }: Shown, field: string): FieldValue | null =>
    mappedPart(field, its[field], expected.fields[field]);
  const fields = Object.keys(expected.fields)
    .filter((name) => isCompared(name) && (name in to.fields || name in from.fields))
    .filter((name) => !sameShown(name, part(to, name), part(from, name)))
    .map((field) => ({ field, from: part(to, field), to: part(from, field) }));
  const at = comparedAt(expected.positions);
  const isCounted = ({ orgId }: EmployeePosition): boolean => at.has(orgId) || (isOurs?.(orgId) ?? true);
  const [was, now] = [from.positions.filter(isCounted), to.positions.filter(isCounted)];
  if (was.length === now.length && areAmong(was, now, at) && areAmong(now, was, at)) return fields;
  const [before, after] = [spellShown(now, at, nameOf), spellShown(was, at, nameOf)];
  return [...fields, { field: 'positions', from: before, to: after }];
}

/** Returns what is sent, not empty and not shown. Whether it differs cannot be known. */
export function unshown(expected: Shown, actual: Shown): readonly FieldChange[] {
  return Object.entries(expected.fields)
    .filter(([name]) => isCompared(name) && !(name in actual.fields))
    .map(([field, value]) => ({ field, from: null, to: mappedPart(field, value, value) }))
    .filter(({ field, to }) => !isNothing(field, to));
}

/** Returns the differences between what should be and what is shown, among the fields that the service shows. */
export function differsFrom(expected: Shown, actual: Shown, nodes: Nodes = {}): readonly FieldChange[] {
  const visible = Object.fromEntries(
    Object.entries(expected.fields).filter(([name]) => name in actual.fields),
  );
  return changedShown({ ...expected, fields: visible }, actual, expected, nodes);
}
