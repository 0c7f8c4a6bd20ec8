import { isEmpty, type FieldValue } from './fields.ts';
import type { PlacedPosition } from './payload.ts';

/** One thing that a change empties; each is counted on its own, over all people. */
export interface Emptied {
  /** Name: `email`, `properties.11`, `tag_names.GROUP`, `positions.job_title`, or `positions` if no unit is left. */
  readonly what: string;
  /** Value before. */
  readonly from: FieldValue | null;
}

/** The parts of a person's change that matter here. */
interface Emptying {
  readonly kind: string;
  readonly guard: string | null;
  readonly fields: readonly Changed[];
  readonly before?: readonly PlacedPosition[] | undefined;
  readonly payload: { readonly positions: readonly PlacedPosition[] };
}

interface Changed {
  readonly field: string;
  readonly from: FieldValue | null;
  readonly to: FieldValue | null;
}

/**
 * Returns what turns empty in a record. A new account empties nothing. What follows from a new id counts when
 * it happens.
 */
export function emptiedOf(change: Emptying): readonly Emptied[] {
  if (change.kind === 'create' || change.guard === 'usernameReuse') return [];
  return change.fields.flatMap((field) => {
    if (field.field === 'properties' || isByGroup(field)) return emptiedParts(field);
    if (field.field === 'positions') return emptiedPositions(change);
    return isEmpty(field.to) ? [{ what: field.field, from: field.from }] : [];
  });
}

type Properties = Readonly<Record<string, FieldValue>>;

/** Returns whether it is tags by name with their groups: what is shown of them has none. */
export function isByGroup({ field, from }: Changed): boolean {
  return field === 'tag_names' && from !== null && !Array.isArray(from);
}

export function isMap(value: FieldValue | null | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the properties by schema id, or the tags by group. */
export function propertiesOf(value: FieldValue | null | undefined): Properties {
  return isMap(value) ? (value as Properties) : {};
}

function emptiedParts({ field, from, to }: Changed): readonly Emptied[] {
  const after = propertiesOf(to);
  return Object.entries(propertiesOf(from))
    .filter(([id, values]) => !isEmpty(values) && isEmpty(after[id]))
    .map(([id, values]) => ({ what: `${field}.${id}`, from: values }));
}

function emptiedPositions({ before, payload }: Emptying): readonly Emptied[] {
  if (before === undefined) return [];
  const { positions } = payload;
  const units = before.flatMap(({ unit }) => unit ?? []);
  if (units.length > 0 && positions.every(({ unit }) => unit === null))
    return [{ what: 'positions', from: units }];
  const names = new Set(positions.flatMap(({ fields }) => Object.keys(fields)));
  names.delete('primary');
  return [...names].flatMap((name) => {
    const had = before.filter(({ fields }) => isSet(fields[name]));
    return losesField(name, had, positions)
      ? [{ what: `positions.${name}`, from: had.map(({ unit, fields }) => spell(unit, fields[name])) }]
      : [];
  });
}

const spell = (unit: string | null, value: FieldValue | null | undefined): string =>
  JSON.stringify([unit, value ?? null]);

/** Returns whether a value is set; for a boolean, `false` counts as absent. */
export function isSet(value: FieldValue | null | undefined): boolean {
  return value !== false && !isEmpty(value);
}

/** Returns whether a unit's position that stays loses the field, or no position has the field any more. */
function losesField(
  name: string,
  had: readonly PlacedPosition[],
  positions: readonly PlacedPosition[],
): boolean {
  const lacks = positions.filter(({ fields }) => name in fields && isEmpty(fields[name]));
  if (had.length === 0 || lacks.length === 0) return false;
  return lacks.length === positions.length || lacks.some(({ unit }) => had.some((old) => old.unit === unit));
}
