import type { FieldChange } from '../../domain/changes.ts';
import {
  isEmpty,
  PERSON_FIELDS,
  type Fields,
  type FieldSpec,
  type FieldValue,
} from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';

/**
 * Returns a canonical text: missing, null and empty values are the same, in a map as well, and the order of lists and
 * maps does not matter.
 */
function spell(value: FieldValue | null | undefined): string {
  if (value === undefined || isEmpty(value)) return '';
  if (Array.isArray(value))
    return JSON.stringify([...value].map(String).toSorted((a, b) => (a < b ? -1 : 1)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).flatMap(([name, inner]) =>
    isEmpty(inner) ? [] : [[name, spell(inner)] as const],
  );
  return entries.length === 0 ? '' : JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

/** Returns whether a field takes part in comparisons: those that are sent on creation only do not. */
export const isCompared = (name: string): boolean => SPECS[name]?.creationOnly !== true;

export function sameValue(a: FieldValue | null | undefined, b: FieldValue | null | undefined): boolean {
  return a === b || spell(a) === spell(b);
}

/** Returns the mapped fields that differ. Only keys of `to` are mapped; other fields are ignored. */
export function changedFields(from: Fields, to: Fields): readonly FieldChange[] {
  return Object.entries(to)
    .filter(([name, value]) => isCompared(name) && !sameValue(from[name], value))
    .map(([field, value]) => ({ field, from: from[field] ?? null, to: value }));
}

/** Returns what a write changes: what the source wants and, since all is written, what others have edited. */
export function withEdits(
  wanted: readonly FieldChange[],
  edits: readonly FieldChange[],
): readonly FieldChange[] {
  const edited = new Map(edits.map((one) => [one.field, one]));
  const named = new Set(wanted.map(({ field }) => field));
  const shown = ({ field, from, to }: FieldChange): FieldValue | null => {
    const edit = field === 'positions' ? undefined : edited.get(field);
    return edit === undefined || sameValue(edit.from, to) ? from : edit.from;
  };
  return [
    ...wanted.map((one) => ({ ...one, from: shown(one) })),
    ...edits.filter(({ field }) => !named.has(field)),
  ];
}

export function spellPosition(key: string, fields: Fields): string {
  const entries = Object.entries(fields).filter(([, value]) => !isEmpty(value) && value !== false);
  const shown = entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === true ? name : `${name}=${spellText(value)}`));
  return [key, ...shown].join(' ');
}

/** Spells a value, quoted if it could be read as more than one field. */
function spellText(value: FieldValue | null): string {
  return typeof value === 'string' && !/[\s="]/u.test(value) ? value : spell(value);
}

const spellUnit = (unit: string | null): string => unit ?? '(root)';

/** Stands for the node of a unit that has none yet. */
export const nodeToCome = (unit: string | null): string => `unit ${unit}`;

/** Spells positions as texts, for the plan and the comparison alike: `unit primary job_title=…`. */
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

interface Nodes {
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /** Returns the unit of any node. Without it only the person's own units are known. */
  readonly unitOf?: ((orgId: string) => string | null | undefined) | undefined;
}

const ANOTHER = '(another node)';

/**
 * Returns how a change spells a node: by its unit, since the plan's hash may not cover service ids (contract, `plan
 * --json`).
 */
export function nodeLabels(
  { orgIdOf, unitOf }: Nodes,
  payloads: readonly PersonPayload[],
): (orgId: string) => string {
  const own = new Map<string, string | null>();
  const units = payloads.flatMap(({ positions }) => positions.map(({ unit }) => unit));
  for (const unit of [null, ...units]) own.set(orgIdOf(unit) ?? nodeToCome(unit), unit);
  return (orgId) => {
    const unit = own.has(orgId) ? own.get(orgId) : unitOf?.(orgId);
    return unit === undefined ? ANOTHER : spellUnit(unit);
  };
}
