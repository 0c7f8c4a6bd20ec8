import { isEmpty, type FieldValue } from './fields.ts';
import type { PlacedPosition } from './payload.ts';

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
 * Returns the names of what turns empty in a record: `email`, `properties.11`, `tag_names.GROUP`, `positions.job_title`, or
 * `positions` if no unit is left. Each is counted on its own, over all people. A new account empties nothing. What follows
 * from a new id counts when it happens.
 */
export function emptiedOf(change: Emptying): readonly string[] {
  if (change.kind === 'create' || change.guard === 'usernameReuse') return [];
  return change.fields.flatMap((field) => {
    if (field.field === 'properties' || isByGroup(field)) return emptiedParts(field);
    if (field.field === 'positions') return emptiedPositions(change);
    return isEmpty(field.to) ? [field.field] : [];
  });
}

type Properties = Readonly<Record<string, FieldValue>>;

/** Returns whether it is tags by name with their groups: what is shown of them has none. */
function isByGroup({ field, from }: Changed): boolean {
  return field === 'tag_names' && from !== null && !Array.isArray(from);
}

export function isMap(value: FieldValue | null | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the properties by schema id, or the tags by group. */
export function propertiesOf(value: FieldValue | null | undefined): Properties {
  return isMap(value) ? (value as Properties) : {};
}

function emptiedParts({ field, from, to }: Changed): readonly string[] {
  const after = propertiesOf(to);
  return Object.entries(propertiesOf(from))
    .filter(([id, values]) => !isEmpty(values) && isEmpty(after[id]))
    .map(([id]) => `${field}.${id}`);
}

function emptiedPositions({ before, payload }: Emptying): readonly string[] {
  if (before === undefined) return [];
  const { positions } = payload;
  if (before.some(({ unit }) => unit !== null) && positions.every(({ unit }) => unit === null))
    return ['positions'];
  const names = new Set(positions.flatMap(({ fields }) => Object.keys(fields)));
  names.delete('primary');
  return [...names].filter((name) => losesField(name, before, positions)).map((name) => `positions.${name}`);
}

/** Returns whether a value is set; for a boolean, `false` counts as absent. */
function isSet(value: FieldValue | null | undefined): boolean {
  return value !== false && !isEmpty(value);
}

/** Returns whether a unit's position that stays loses the field, or no position has the field any more. */
function losesField(
  name: string,
  before: readonly PlacedPosition[],
  positions: readonly PlacedPosition[],
): boolean {
  const had = before.filter(({ fields }) => isSet(fields[name]));
  const lacks = positions.filter(({ fields }) => name in fields && isEmpty(fields[name]));
  if (had.length === 0 || lacks.length === 0) return false;
  return lacks.length === positions.length || lacks.some(({ unit }) => had.some((old) => old.unit === unit));
}
