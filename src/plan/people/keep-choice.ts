import type { Fields } from '../../domain/records/fields.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Choices, Person } from '../../domain/records/records.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { UnitTree } from '../units/tree.ts';
import { placeOf } from './positions.ts';

/** Returns the fields with the value that was sent where it is one of several that the record has. */
export function keepChoice(fields: Fields, choices: Choices = {}, sent: Fields = {}): Fields {
  const kept = Object.entries(sent).filter(([name, value]) => choices[name]?.some((one) => one === value));
  return kept.length === 0 ? fields : { ...fields, ...Object.fromEntries(kept) };
}

/** Returns whether the record has several values where one is meant. */
export const hasChoice = ({ choices, positions }: Person): boolean =>
  choices !== undefined || positions.some((position) => position.choices !== undefined);

/** Returns the person with the account's username and what was sent, where these are among several values. */
export function withChoice(person: Person, { username, sent }: PersonEntry, tree: UnitTree): Person {
  const { choices } = person;
  const same = choices?.['username']?.find(
    (one) => typeof one === 'string' && foldUsername(one) === foldUsername(username),
  );
  const positions = person.positions.map((position) => {
    const { unit } = placeOf(position.unit, tree);
    const before = sent.positions.find((one) => one.unit === unit)?.fields;
    return { ...position, fields: keepChoice(position.fields, position.choices, before) };
  });
  const fields = keepChoice(person.fields, choices, sent.fields);
  return { ...person, username: typeof same === 'string' ? same : person.username, fields, positions };
}
