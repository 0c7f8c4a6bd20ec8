import type { FieldChange, PersonChange } from '../../domain/changes.ts';
import { isByGroup, isSet, propertiesOf } from '../../domain/records/emptied.ts';
import { isEmpty, type FieldValue } from '../../domain/records/fields.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import { changedPositions, sameValue } from './compare.ts';

/**
 * Returns whether what is kept could be sent: tags that an account shows by name have no group, and leaving them out
 * may clear them.
 */
export function canBeKept({ fields }: PersonChange, kept: readonly string[]): boolean {
  return !kept.includes('tag_names') || fields.every(({ field }) => field !== 'tag_names');
}

/** Returns the change without what it empties: the `kept` fields stay as they were, and everything else goes on. */
export function keepOld(change: PersonChange, kept: ReadonlySet<string>): PersonChange {
  const positions = keptPositions(change, kept);
  const fields: FieldChange[] = [];
  const values: Record<string, FieldValue | null> = { ...change.payload.fields };
  for (const one of change.fields) {
    const { field, from } = one;
    if (field === 'positions') fields.push(...placesLeft(change, one, positions));
    else if (field === 'properties' || isByGroup(one)) {
      const to = keptParts(one, kept);
      values[field] = to;
      if (!sameValue(from, to)) fields.push({ field, from, to });
    } else if (kept.has(field)) values[field] = from;
    else fields.push(one);
  }
  return { ...change, fields, payload: { fields: values, positions } };
}

function keptParts({ field, from, to }: FieldChange, kept: ReadonlySet<string>): FieldValue {
  const old = Object.entries(propertiesOf(from)).filter(([id]) => kept.has(`${field}.${id}`));
  return { ...propertiesOf(to), ...Object.fromEntries(old) } as FieldValue;
}

function placesLeft(
  { before, payload }: PersonChange,
  one: FieldChange,
  positions: readonly PlacedPosition[],
): readonly FieldChange[] {
  return positions === payload.positions || before === undefined
    ? [one]
    : changedPositions(before, positions);
}

function keptPositions(
  { before, payload }: PersonChange,
  kept: ReadonlySet<string>,
): readonly PlacedPosition[] {
  if (before === undefined) return payload.positions;
  if (kept.has('positions')) return before;
  const names = [...kept].flatMap((what) => /^positions\.(?<name>.*)$/u.exec(what)?.groups?.['name'] ?? []);
  return names.reduce((positions, name) => withOldField(name, before, positions), payload.positions);
}

/** Keeps the field in the same unit, or, if no position has it any more, in the primary one. */
function withOldField(
  name: string,
  before: readonly PlacedPosition[],
  positions: readonly PlacedPosition[],
): readonly PlacedPosition[] {
  const had = before.filter(({ fields }) => isSet(fields[name]));
  const set = (position: PlacedPosition, old: PlacedPosition | undefined): PlacedPosition =>
    old === undefined || !isEmpty(position.fields[name])
      ? position
      : { unit: position.unit, fields: { ...position.fields, [name]: old.fields[name] ?? null } };
  const byUnit = positions.map((position) =>
    set(
      position,
      had.find(({ unit }) => unit === position.unit),
    ),
  );
  if (byUnit.some(({ fields }) => isSet(fields[name]))) return byUnit;
  const old = had.find(({ fields }) => fields['primary'] === true) ?? had[0];
  return byUnit.map((position) => (position.fields['primary'] === true ? set(position, old) : position));
}
