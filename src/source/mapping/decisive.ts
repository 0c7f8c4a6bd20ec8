import { ACCOUNT_ACTIVE, isUsual } from '../../domain/directories/vendors.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import { forPlace, membersOf, type Decisive } from '../../domain/records/records.ts';
import { UNIT_GROUPS } from '../../domain/source-choices.ts';
import { printable } from '../../domain/text/printable.ts';
import { digest } from '../../lib/digest.ts';
import type { Mapper } from './mapper.ts';
import { allValues, type RawRecord } from './values/raw-record.ts';

/** A name and the slot where its values are. */
export interface NamedSlot {
  readonly slot: number;
  readonly name: string;
}

/** As many characters as tell a value from the one before it. */
const SHORT = 4;

/** Returns what the record has of these names; the groups that a person is in stand each by itself. */
export function decisiveIn({ cells }: Pick<RawRecord, 'cells'>, names: readonly NamedSlot[]): Decisive {
  const has: Record<string, string> = {};
  for (const { slot, name } of names) {
    const values = allValues(cells[slot]);
    if (name === UNIT_GROUPS) for (const group of values) has[membersOf(group)] = '';
    else if (values.length > 0) has[name] = digest(JSON.stringify(values)).slice(0, SHORT);
  }
  return has;
}

/** A name and where the configuration has it. */
export interface Watching {
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.active`. */
  readonly places: readonly string[];
}

/** Places of rules that decide who is active, in scope or protected, or which partner a person has. */
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

/**
 * Returns a sentence for each attribute that no record has. A column exists if the header names it, even if
 * it has no values.
 */
export function describeEmpty(
  names: Iterable<Watching>,
  { type, unknown }: SourceEvidence,
): readonly string[] {
  const isNamed = ({ name }: Watching): boolean =>
    type === 'scim' || (type === 'ldap' && !isUsual(name) && !unknown.some((one) => one.name === name));
  return [...names].filter(isNamed).map(({ name, places }) => {
    const place = places.join(', ');
    return `${place}: no record has ${printable(name)}; correct it, remove it, or put it in quotes if it is a text`;
  });
}
