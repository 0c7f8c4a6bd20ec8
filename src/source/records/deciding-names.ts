import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { UNIT_GROUPS } from '../../domain/source-choices.ts';
import { forPlace } from '../../domain/records/records.ts';
import type { NamedSlot } from '../mapping/values/decisive.ts';

/** A name and where the configuration has it. */
export interface Watching {
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.active`. */
  readonly places: readonly string[];
}

/** Places of rules that decide who is active, in scope or protected, or whose partner somebody is. */
const DECIDES = /^(?:source\.people\.(?:fields\.active|where|join\.on)|sync\.protect\.where)$/u;

/** Places of rules that say where people belong. */
const PLACES = /^source\.people\.fields\.positions\[\d+\]\.unit$/u;

/** Returns the names that decide, with their slots. */
export function decidingSlots(names: readonly Watching[]): readonly NamedSlot[] {
  return names.flatMap(({ name, places }, slot) => {
    if (name.toLowerCase() === ACCOUNT_ACTIVE) return [];
    const decides = places.some((place) => DECIDES.test(place));
    const isPlace = name !== UNIT_GROUPS && places.some((place) => PLACES.test(place));
    return [...(decides ? [{ name, slot }] : []), ...(isPlace ? [{ name: forPlace(name), slot }] : [])];
  });
}

/** Returns the names of a mapper in the order of its slots. */
export const namesOf = ({ names, places }: Pick<Mapper<unknown>, 'names' | 'places'>): readonly Watching[] =>
  names.map((name, slot) => ({ name, places: places[slot] ?? [] }));
