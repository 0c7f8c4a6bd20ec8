import { z } from 'zod';
import { PERSON_FIELDS, POSITION_FIELDS, UNIT_FIELDS, type FieldSpec } from '../domain/records/fields.ts';
import { suggest } from '../lib/suggest.ts';
import { ABOUT, REMEDY, section, text } from './values.ts';

const RULE_KEYS = ['const', 'expr'];

/** Returns what is wrong with a value in place of a rule, and what was probably meant. */
function noRule(input: unknown): string {
  const keys = typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.keys(input) : [];
  if (RULE_KEYS.every((key) => keys.includes(key))) return `has const and expr${REMEDY}keep one of them`;
  const [key] = keys;
  const suggestion = key === undefined ? undefined : suggest(key, RULE_KEYS);
  if (suggestion !== undefined && keys.length === 1)
    return `${key} is no kind of rule${REMEDY}did you mean ${suggestion}?`;
  return `is no rule${REMEDY}write the name of an attribute or column, { const: … } or { expr: "…" }`;
}

/** CEL over the raw record. */
export const expression = text.meta({
  id: 'expression',
  description: 'CEL expression over the raw record; docs/sources/expressions.md has the functions.',
});

/** A rule: the name of an attribute or column, a constant, or CEL. */
export const fieldRule = z
  .union(
    [text, section({ const: z.union([z.string(), z.number(), z.boolean()]) }), section({ expr: expression })],
    { error: ({ input }) => noRule(input) },
  )
  .meta({ id: 'rule', description: 'Name of an attribute or column, { const: … } or { expr: "…" }.' });

const mappable = fieldRule.optional();

type Mappable = typeof mappable;

/** Each field with its own description; only the name has to be mapped. */
function shapeOf<F extends string>(
  specs: Readonly<Record<F, FieldSpec>>,
): { readonly [K in F]: K extends 'name' ? typeof fieldRule : Mappable } {
  const all = Object.entries<FieldSpec>(specs).map(([name, { about }]) => [
    name,
    (name === 'name' ? fieldRule : mappable).describe(about),
  ]);
  return Object.fromEntries(all) as ReturnType<typeof shapeOf<F>>;
}

const wholeUnitShape = {
  ...shapeOf(UNIT_FIELDS),
  id: fieldRule.describe('Source id: the identity of the unit.'),
  refs: z
    .array(fieldRule)
    .min(1)
    .optional()
    .describe('How other records name this unit. Default: [id]; LDAP: [dn, id].'),
  parent: mappable.describe('A ref of the unit above; empty: none. Default for LDAP: parentDn.'),
};

export const unitFields = section(wholeUnitShape);

const VENDORS = 'Default: by vendor.';

/** Fields of a directory's units, of which a named vendor fills the gaps. */
export const entryUnitFields = section({
  ...wholeUnitShape,
  id: mappable.describe(`Source id: the identity of the unit. ${VENDORS}`),
  name: mappable.describe(`Name of the unit. ${VENDORS}`),
});

const positionShape = {
  unit: fieldRule.describe('A ref of the unit; several values make several positions.'),
  ...shapeOf(POSITION_FIELDS),
};

const positionFields = section(positionShape);
const POSITIONS = 'Units, from values of the own record.';

export const positionQueryFields = section({
  person: fieldRule.describe('Source id of the person.'),
  ...positionShape,
});

const ruleMap = z
  .record(text, fieldRule, {
    error: ({ code }) => (code === 'invalid_key' ? `is an empty name${REMEDY}give it a name` : undefined),
  })
  .default({});

const NO_SCHEMA_ID =
  `is no id of a data schema (digits)${REMEDY}` +
  'write the id that data_schemas has beside the name: rollcall call listEmployees --param type=username --param query=USERNAME --param matching=true';

/** Rules by the ids of data schemas. */
const propertyRules = z
  .record(text.regex(/^\d+$/u), fieldRule, {
    error: ({ code }) => (code === 'invalid_key' ? NO_SCHEMA_ID : undefined),
  })
  .default({});

const wholePersonShape = {
  ...shapeOf(PERSON_FIELDS),
  tag_names: ruleMap.describe(PERSON_FIELDS.tag_names.about),
  properties: propertyRules.describe(PERSON_FIELDS.properties.about),
  source_identifiers: ruleMap.describe(PERSON_FIELDS.source_identifiers.about),
  id: fieldRule.describe('Source id: the identity of the person.'),
  username: fieldRule.describe('Login of the account.'),
  active: mappable.describe('False makes a leaver. Default: true.'),
  positions: z.array(positionFields).default([]).describe(POSITIONS),
};

export const personFields = section(wholePersonShape);

/** Fields of a directory's people, of which a named vendor fills the gaps; `null` leaves its default out. */
export const entryPersonFields = section({
  ...wholePersonShape,
  id: mappable.describe(`Source id: the identity of the person. ${VENDORS}`),
  username: mappable.describe(`Login of the account. ${VENDORS}`),
  name: mappable.describe(`Display name. ${VENDORS}`),
  email: mappable.nullable().describe(`E-mail address. ${VENDORS} null: not mapped.`),
  active: mappable.nullable().describe('False makes a leaver. Default: by vendor, else true. null: true.'),
  positions: z.array(positionFields).optional().describe(POSITIONS),
});

/** Condition in addition to the server's filter or the query. */
export const where = expression.optional().describe(ABOUT.where);
