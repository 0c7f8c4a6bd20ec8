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

/** Which fields are mapped, of those that are shown, for each node with a mapped position. `primary` always is. */
type MappedAt = ReadonlyMap<string, ReadonlySet<string>>;

const SHOWN_NAMES: ReadonlySet<string> = new Set(LISTED_POSITION_FIELDS);

function mappedAt(positions: readonly EmployeePosition[]): MappedAt {
  return new Map(positions.map(({ orgId, fields }) => [orgId, new Set(['primary', ...Object.keys(fields)])]));
}

function spellShown(
  positions: readonly EmployeePosition[],
  at: MappedAt,
  { isOurs, nameOf }: Nodes,
): readonly string[] {
  return positions
    .filter(({ orgId }) => at.has(orgId) || (isOurs?.(orgId) ?? true))
    .map(({ orgId, fields }) => {
      const isMapped = ([name]: readonly [string, unknown]): boolean =>
        SHOWN_NAMES.has(name) && (at.get(orgId)?.has(name) ?? true);
      return spellPosition(
        nameOf?.(orgId) ?? orgId,
        Object.fromEntries(Object.entries(fields).filter(isMapped)),
      );
    })
    .toSorted();
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
  nodes: Nodes = {},
): readonly FieldChange[] {
  const fields = Object.keys(expected.fields)
    .filter((name) => isCompared(name) && (name in to.fields || name in from.fields))
    .map((field) => ({
      field,
      from: mappedPart(field, to.fields[field], expected.fields[field]),
      to: mappedPart(field, from.fields[field], expected.fields[field]),
    }))
    .filter(({ field, from: now, to: was }) => !sameShown(field, now, was));
  const at = mappedAt(expected.positions);
  const isSame = JSON.stringify(spellShown(from.positions, at, { isOurs: nodes.isOurs }));
  if (isSame === JSON.stringify(spellShown(to.positions, at, { isOurs: nodes.isOurs }))) return fields;
  const spelled = ({ positions }: Shown): readonly string[] => spellShown(positions, at, nodes);
  return [...fields, { field: 'positions', from: spelled(to), to: spelled(from) }];
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
