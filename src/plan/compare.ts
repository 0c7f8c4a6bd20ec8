import type { FieldChange } from '../domain/changes.ts';
import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../domain/fields.ts';
import type { PlacedPosition } from '../domain/payload.ts';
import type { EmployeePosition } from '../domain/service.ts';
import type { Shown } from '../domain/shown.ts';

function isEmpty(value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Canonical text: a missing, null and empty value are the same, lists and maps do not depend on their order. */
function spell(value: FieldValue | null | undefined): string {
  if (value === undefined || isEmpty(value)) return '';
  if (Array.isArray(value))
    return JSON.stringify([...value].map(String).toSorted((a, b) => (a < b ? -1 : 1)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inner]) => [name, spell(inner)] as const);
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

/** What goes out on creation only takes no part in comparisons. */
const isCompared = (name: string): boolean => SPECS[name]?.creationOnly !== true;

export function sameValue(a: FieldValue | null | undefined, b: FieldValue | null | undefined): boolean {
  return spell(a) === spell(b);
}

/** Mapped fields that differ; only keys of `to` are mapped, others are none of our business. */
export function changedFields(from: Fields, to: Fields): readonly FieldChange[] {
  return Object.entries(to)
    .filter(([name, value]) => isCompared(name) && !sameValue(from[name], value))
    .map(([field, value]) => ({ field, from: from[field] ?? null, to: value }));
}

function spellPosition(key: string, fields: Fields): string {
  const entries = Object.entries(fields).filter(([, value]) => !isEmpty(value) && value !== false);
  const shown = entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === true ? name : `${name}=${spellText(value)}`));
  return [key, ...shown].join(' ');
}

/** Quoted where it could be read as more than one field. */
function spellText(value: FieldValue | null): string {
  return typeof value === 'string' && !/[\s="]/u.test(value) ? value : spell(value);
}

export const spellUnit = (unit: string | null): string => unit ?? '(root)';

/** Stands for the node of a unit that has none yet. */
export const nodeToCome = (unit: string | null): string => `unit ${unit}`;

/** Positions as a list of texts, for the plan and the comparison alike: `unit primary job_title=…`. */
export function spellPositions(positions: readonly PlacedPosition[]): readonly string[] {
  return positions.map(({ unit, fields }) => spellPosition(spellUnit(unit), fields)).toSorted();
}

export function changedPositions(
  from: readonly PlacedPosition[],
  to: readonly PlacedPosition[],
): readonly FieldChange[] {
  const [before, after] = [spellPositions(from), spellPositions(to)];
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ field: 'positions', from: before, to: after }];
}

type NameOf = (orgId: string) => string;

function spellShown(
  positions: readonly EmployeePosition[],
  mapped: ReadonlySet<string>,
  nameOf: NameOf,
): readonly string[] {
  return positions
    .map(({ orgId, fields }) =>
      spellPosition(
        nameOf(orgId),
        Object.fromEntries(Object.entries(fields).filter(([name]) => mapped.has(name))),
      ),
    )
    .toSorted();
}

/** Names of the position fields that any of these positions maps; `primary` always is. */
function mappedPositionFields(positions: readonly PlacedPosition[]): ReadonlySet<string> {
  return new Set(['primary', ...positions.flatMap(({ fields }) => Object.keys(fields))]);
}

const byId: NameOf = (orgId) => orgId;

/**
 * What a shown record differs in from another, among the fields that are shown and mapped. Nodes are told apart by
 * their ids, and spelled as `nameOf` says.
 */
export function changedShown(
  from: Shown,
  to: Shown,
  mapped: PersonMapping,
  nameOf: NameOf = byId,
): readonly FieldChange[] {
  const fields = Object.keys(mapped.fields)
    .filter((name) => isCompared(name) && (name in to.fields || name in from.fields))
    .filter((name) => !sameValue(from.fields[name], to.fields[name]))
    .map((field) => ({ field, from: to.fields[field] ?? null, to: from.fields[field] ?? null }));
  const names = mappedPositionFields(mapped.positions);
  const spelled = ({ positions }: Shown, name: NameOf) => spellShown(positions, names, name);
  if (JSON.stringify(spelled(from, byId)) === JSON.stringify(spelled(to, byId))) return fields;
  return [...fields, { field: 'positions', from: spelled(to, nameOf), to: spelled(from, nameOf) }];
}

export interface PersonMapping {
  readonly fields: Fields;
  readonly positions: readonly PlacedPosition[];
}

/** What the service should show of a payload: its fields, and its positions by organization id. */
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

/** Differences between what should be and what is shown, among the fields that the service shows. */
export function differsFrom(
  expected: Shown,
  actual: Shown,
  mapped: PersonMapping,
  nameOf: NameOf = byId,
): readonly FieldChange[] {
  const visible = Object.fromEntries(
    Object.entries(expected.fields).filter(([name]) => name in actual.fields),
  );
  return changedShown({ fields: visible, positions: expected.positions }, actual, mapped, nameOf);
}
