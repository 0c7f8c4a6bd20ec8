import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import { forPlace, membersOf, type Decisive } from '../../domain/records/records.ts';
import { UNIT_GROUPS } from '../../domain/source-choices.ts';
import { printable } from '../../domain/text/printable.ts';
import { digest } from '../../lib/digest.ts';
import { allValues, type Column, type RawRecord } from './values/raw-record.ts';

/** A column that decides, and what stands for it in the ledger. */
export interface Deciding {
  readonly column: string;
  readonly name: string;
}

/** As many characters as tell a value from the one before it. */
const SHORT = 4;

/** Returns what the record has of these names; the groups that a person is in stand each by itself. */
export function decisiveIn(raw: RawRecord, deciding: readonly Deciding[]): Decisive {
  const has: Record<string, string> = {};
  for (const { column, name } of deciding) {
    const values = allValues(raw.values.get(column));
    if (name === UNIT_GROUPS) for (const group of values) has[membersOf(group)] = '';
    else if (values.length > 0) has[name] = digest(JSON.stringify(values)).slice(0, SHORT);
  }
  return has;
}

/** Places of rules that decide who is active, in scope or protected, or which partner a person has. */
const DECIDES = /^(?:source\.people\.(?:fields\.active|where|join\.on)|sync\.protect\.where)$/u;

/** Places of rules that say where people belong. */
const PLACES = /^source\.people\.fields\.positions\[\d+\]\.unit$/u;

/** Returns those of the columns that decide. */
export function decidingAmong(columns: readonly Column[]): readonly Deciding[] {
  return columns.flatMap(({ name, places }) => {
    if (name.toLowerCase() === ACCOUNT_ACTIVE) return [];
    const decides = places.some((place) => DECIDES.test(place));
    const isPlace = name !== UNIT_GROUPS && places.some((place) => PLACES.test(place));
    return [
      ...(decides ? [{ name, column: name }] : []),
      ...(isPlace ? [{ name: forPlace(name), column: name }] : []),
    ];
  });
}

/** Returns a sentence about an attribute that no record has. */
export function describeEmpty({ name, places }: Column): string {
  const place = places.join(', ');
  return `${place}: no record has ${printable(name)}; correct it, remove it, or put it in quotes if it is a text`;
}
