import { z } from 'zod';
import type { PersonField, UnitField } from '../domain/records/fields.ts';
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

const unitShape = {
  name: fieldRule.describe('Name of the unit.'),
  type: mappable.describe('Kind of node. Default at creation: DEPT.'),
  sn: mappable.describe('Node number.'),
  serial_no: mappable.describe('Serial number, unique in the service. Default at creation: the id.'),
  tel: mappable.describe('Telephone number of the unit.'),
  contact: mappable.describe('Contact of the unit.'),
  sort_order: mappable.describe('Place among its siblings.'),
  logo: mappable.describe('Picture: path of a file, or bytes (PNG, JPEG, GIF, WebP; at most 5 MB).'),
} satisfies Record<UnitField, z.ZodType>;

const wholeUnitShape = {
  ...unitShape,
  id: fieldRule.describe('Source id: the identity of the unit.'),
  refs: z
    .array(fieldRule)
    .min(1)
    .optional()
    .describe('Values by which other records name this unit. Default: [id]; LDAP: [dn, id].'),
  parent: mappable.describe('One of the refs of the unit above; empty: none. Default for LDAP: parentDn.'),
};

export const unitFields = section(wholeUnitShape);

const VENDORS = 'Default: the usual rule of source.vendor.';

/** Fields of a directory's units, of which a named vendor fills the gaps. */
export const entryUnitFields = section({
  ...wholeUnitShape,
  id: mappable.describe(`Source id: the identity of the unit. ${VENDORS}`),
  name: mappable.describe(`Name of the unit. ${VENDORS}`),
});

const positionShape = {
  unit: fieldRule.describe('One of the refs of the unit; several values make several positions.'),
  job_title: mappable.describe('Job title.'),
  primary: mappable.describe('Whether this is the main position of the person.'),
  chief: mappable.describe('Whether the person is head of the unit.'),
  source_type: mappable.describe('Group of positions.'),
};

const positionFields = section(positionShape);
const POSITIONS = 'Units of the person, from values of the own record.';

export const positionQueryFields = section({
  person: fieldRule.describe('Source id of the person.'),
  ...positionShape,
});

const ruleMap = z.record(text, fieldRule).default({});

const NO_SCHEMA_ID =
  `is no id of a data schema (digits)${REMEDY}` +
  'write the id that data_schemas has beside the name: rollcall call listEmployees --param type=username --param query=USERNAME --param matching=true';

/** Rules by the ids of data schemas. */
const propertyRules = z
  .record(text.regex(/^\d+$/u), fieldRule, {
    error: ({ code }) => (code === 'invalid_key' ? NO_SCHEMA_ID : undefined),
  })
  .default({});

const personShape = {
  name: fieldRule.describe('Display name.'),
  en_name: mappable.describe('English name.'),
  mobile: mappable.describe('Mobile number.'),
  email: mappable.describe('E-mail address.'),
  extension_id: mappable.describe('Serial number from the source. Default at creation: the id.'),
  serial_no: mappable.describe(
    'Serial number from the source; extension_id takes precedence in the service.',
  ),
  sort_order: mappable.describe('Place in the lists of the service.'),
  senior: mappable.describe('Whether the person is an executive.'),
  sn: mappable.describe('Employee number.'),
  province: mappable.describe('Province.'),
  city: mappable.describe('City.'),
  tel: mappable.describe('Telephone number.'),
  fax: mappable.describe('Fax number.'),
  workPhone: mappable.describe('Telephone number at work.'),
  otherPhone: mappable.describe('Another telephone number.'),
  otherEmail: mappable.describe('Another e-mail address.'),
  industry: mappable.describe('Industry.'),
  region: mappable.describe('Region.'),
  label: mappable.describe('Label in the profile.'),
  extended1: mappable.describe('First free field of the profile.'),
  extended2: mappable.describe('Second free field of the profile.'),
  extended3: mappable.describe('Third free field of the profile.'),
  source_id: mappable.describe('Authentication source of the account.'),
  user_id: mappable.describe('User id of the account.'),
  id_card: mappable.describe('Number of the ID card.'),
  gender: mappable.describe('Gender.'),
  birthday: mappable.describe('Birthday; a day in the future is not sent.'),
  password: mappable.describe('First password; the service uses it only for a new user.'),
  source_credentials: mappable.describe('Credential of another system.'),
  rank: mappable.describe('Rank; the service reads it before employee_rank_name.'),
  employee_rank_name: mappable.describe('Name of the rank.'),
  tags: mappable.describe('Ids of tags; takes every value.'),
  tag_names: ruleMap.describe(
    'GROUP: rule. Each value is a tag of that group. Cannot be mapped together with tags.',
  ),
  properties: propertyRules.describe('DATA_SCHEMA_ID: rule. Properties by the id of their data schema.'),
  source_identifiers: ruleMap.describe('KEY: rule. Login data of another system.'),
} satisfies Record<PersonField, z.ZodType>;

const wholePersonShape = {
  ...personShape,
  id: fieldRule.describe('Source id: the identity of the person.'),
  username: fieldRule.describe('Login of the account. It is sent at creation and stays.'),
  active: mappable.describe('Whether the person works here; false makes a leaver. Default: true.'),
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
  active: mappable
    .nullable()
    .describe(
      'Whether the person works here; false makes a leaver. Default: the rule of source.vendor, else true. null: true.',
    ),
  positions: z.array(positionFields).optional().describe(POSITIONS),
});

/** Condition in addition to the server's filter or the query. */
export const where = expression.optional().describe(ABOUT.where);
