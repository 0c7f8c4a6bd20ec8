import type { PinnedPerson, PinnedUnit } from '../../domain/reverting/pin.ts';
import type { PersonPayload, UnitPayload } from '../../domain/records/payload.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import { withPrimary } from '../people/positions.ts';
import { changedPositions, sameValue } from '../values/compare.ts';

/** What the source says of a person. */
export type SourcePerson =
  | { readonly says: 'active'; readonly payload: PersonPayload }
  | { readonly says: 'inactive' | 'missing' | 'unreadable' };

/** Returns whether the source would make of the person again what was put back. */
export function personAgain(
  { active, payload }: PinnedPerson,
  back: readonly string[],
  source: SourcePerson,
): boolean {
  if (source.says === 'unreadable') return false;
  if (source.says !== 'active') return active;
  if (!active) return true;
  const places = withPrimary(source.payload.positions, payload.positions);
  return back.some((name) =>
    name === 'positions'
      ? changedPositions(payload.positions, places).length > 0
      : differs(name, payload.fields, source.payload.fields),
  );
}

/** Returns the same for a unit. @param source `null`: the source does not have it */
export function unitAgain(wanted: PinnedUnit, back: readonly string[], source: UnitPayload | null): boolean {
  if (wanted === null || source === null) return wanted !== source;
  return back.some((name) =>
    name === 'parent' ? wanted.parent !== source.parent : differs(name, wanted.fields, source.fields),
  );
}

/** Returns whether a field, or a part of one as `properties.4711`, is mapped and has another value. */
function differs(name: string, wanted: Fields, source: Fields): boolean {
  if (name in source) return !sameValue(wanted[name], source[name]);
  const [field = ''] = name.split('.');
  const key = name.slice(field.length + 1);
  return field in source && key !== '' && !sameValue(partOf(wanted[field], key), partOf(source[field], key));
}

function partOf(value: FieldValue | null | undefined, key: string): FieldValue | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return (value as Readonly<Record<string, FieldValue>>)[key] ?? null;
}
