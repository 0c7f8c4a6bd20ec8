import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { NamedSlot } from '../mapping/values/decisive.ts';

/** A name and where the configuration has it. */
export interface Watching {
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.active`. */
  readonly places: readonly string[];
}

/** Places of rules that decide who is active, in scope or protected, or whose partner somebody is. */
const DECIDES = /^(?:source\.people\.(?:fields\.active|where|join\.on)|sync\.protect\.where)$/u;

/** Returns the names that decide, with their slots. */
export function decidingSlots(names: readonly Watching[]): readonly NamedSlot[] {
  return names.flatMap(({ name, places }, slot) => {
    const decides = name.toLowerCase() !== ACCOUNT_ACTIVE && places.some((place) => DECIDES.test(place));
    return decides ? [{ name, slot }] : [];
  });
}

/** Returns the names of a mapper in the order of its slots. */
export const namesOf = ({ names, places }: Pick<Mapper<unknown>, 'names' | 'places'>): readonly Watching[] =>
  names.map((name, slot) => ({ name, places: places[slot] ?? [] }));
