import type { z } from 'zod';
import type { FieldRule, PersonRules, PositionQueryRules, UnitRules } from '../../domain/source-settings.ts';
import type { personFields, unitFields } from '../../schema/field-schema.ts';

export type UnitInput = z.output<typeof unitFields>;
type PersonInput = z.output<typeof personFields>;
type Ruled<P, R> = Omit<P, 'fields'> & { readonly rules: R };

/** Returns a part of a source with its rules in the shape of the domain; units are named by their ids at least. */
export const unitsPart = <P extends { readonly fields: UnitInput }>({
  fields,
  ...part
}: P): Ruled<P, UnitRules> => ({
  ...part,
  rules: unitRules({ ...fields, refs: fields.refs ?? [fields.id] }),
});

export const peoplePart = <P extends { readonly fields: PersonInput }>({
  fields,
  ...part
}: P): Ruled<P, PersonRules> => ({ ...part, rules: personRules(fields) });

export const positionsPart = <P extends { readonly fields: PositionQueryRules }>({
  fields,
  ...part
}: P): Ruled<P, PositionQueryRules> => ({ ...part, rules: fields });

export function unitRules({ id, refs, parent, ...fields }: UnitInput): UnitRules {
  return { id, refs, parent, fields: mapped(fields) };
}

export function personRules(input: PersonInput): PersonRules {
  const { id, username, active, positions, properties, tag_names, source_identifiers, ...fields } = input;
  const maps = { properties, tag_names, source_identifiers };
  return { id, username, active, positions, ...maps, fields: mapped(fields) };
}

/** Keeps only what the file maps: a key is there or not. */
function mapped(
  fields: Readonly<Record<string, FieldRule | undefined>>,
): Readonly<Record<string, FieldRule>> {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.filter((entry): entry is [string, FieldRule] => entry[1] !== undefined));
}
