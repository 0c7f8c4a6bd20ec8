import { z } from 'zod';
import type { PersonField, UnitField } from '../../domain/records/fields.ts';
import { suggest } from '../../lib/suggest.ts';
import { REMEDY, section, text } from './values.ts';

const RULE_KEYS = ['const', 'expr'];

/** Returns what is wrong with a value in place of a rule, and what was probably meant. */
function noRule(input: unknown): string {
  const keys = typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.keys(input) : [];
  if (RULE_KEYS.every((key) => keys.includes(key))) return `has const and expr${REMEDY}keep one of them`;
  const [key] = keys;
  const meant = key === undefined ? undefined : suggest(key, RULE_KEYS);
  if (meant !== undefined && keys.length === 1)
    return `${key} is no kind of rule${REMEDY}did you mean ${meant}?`;
  return `is no rule${REMEDY}write the name of an attribute or column, { const: … } or { expr: "…" }`;
}

/** CEL over the raw record. */
export const expression = text.meta({
  id: 'expression',
  description: 'CEL over the raw record: docs/expressions.md.',
});

/** A rule: the name of an attribute or column, a constant, or CEL. */
export const fieldRule = z
  .union(
    [text, section({ const: z.union([z.string(), z.number(), z.boolean()]) }), section({ expr: expression })],
    {
      error: ({ input }) => noRule(input),
    },
  )
  .meta({ id: 'rule' });

const mappable = fieldRule.optional();

const unitShape = {
  name: fieldRule,
  type: mappable.describe('Default at creation: DEPT.'),
  sn: mappable,
  serial_no: mappable.describe('Default at creation: the id.'),
  tel: mappable,
  contact: mappable,
  sort_order: mappable.describe('Integer.'),
  logo: mappable.describe('A picture: path, or bytes (PNG, JPEG, GIF, WebP; at most 5 MB).'),
} satisfies Record<UnitField, z.ZodType>;

const wholeUnitShape = {
  ...unitShape,
  id: fieldRule.describe('Source id: the identity of the unit.'),
  refs: z
    .array(fieldRule)
    .min(1)
    .optional()
    .describe('How other records name it. Default: [id], LDAP [dn, id].'),
  parent: mappable.describe('A ref of the parent. LDAP default: parentDn.'),
};

export const unitFields = section(wholeUnitShape);

const VENDORS = 'Default: what source.vendor gives, where it names one.';

/** Fields of a directory's units, of which a named vendor fills the gaps. */
export const entryUnitFields = section({
  ...wholeUnitShape,
  id: mappable.describe(`Source id: the identity of the unit. ${VENDORS}`),
  name: mappable.describe(VENDORS),
});

const positionShape = {
  unit: fieldRule.describe('A ref of the unit; several values make several positions.'),
  job_title: mappable,
  primary: mappable,
  chief: mappable,
  source_type: mappable,
};

const positionFields = section(positionShape);

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
  name: fieldRule,
  en_name: mappable,
  mobile: mappable,
  email: mappable,
  extension_id: mappable.describe('Default at creation: the id.'),
  serial_no: mappable,
  sort_order: mappable.describe('Integer.'),
  senior: mappable.describe('Boolean.'),
  sn: mappable,
  province: mappable,
  city: mappable,
  tel: mappable,
  fax: mappable,
  workPhone: mappable,
  otherPhone: mappable,
  otherEmail: mappable,
  industry: mappable,
  region: mappable,
  label: mappable,
  extended1: mappable,
  extended2: mappable,
  extended3: mappable,
  source_id: mappable.describe('Goes out on creation only.'),
  user_id: mappable.describe('Goes out on creation only.'),
  id_card: mappable.describe('Secret.'),
  gender: mappable,
  birthday: mappable.describe('Date.'),
  password: mappable.describe('Secret; goes out on creation only.'),
  source_credentials: mappable.describe('Secret; goes out on creation only.'),
  rank: mappable.describe('Integer.'),
  employee_rank_name: mappable,
  tags: mappable.describe('Integers; takes every value.'),
  tag_names: ruleMap.describe('GROUP: rule; each value is a tag of that group. Not beside tags.'),
  properties: propertyRules.describe('DATA_SCHEMA_ID: rule'),
  source_identifiers: ruleMap.describe('KEY: rule. Secret.'),
} satisfies Record<PersonField, z.ZodType>;

const wholePersonShape = {
  ...personShape,
  id: fieldRule.describe('Source id: the identity of the person.'),
  username: fieldRule,
  active: mappable.describe('Default: true.'),
  positions: z.array(positionFields).default([]),
};

export const personFields = section(wholePersonShape);

/** Fields of a directory's people, of which a named vendor fills the gaps; `null` leaves its default out. */
export const entryPersonFields = section({
  ...wholePersonShape,
  id: mappable.describe(`Source id: the identity of the person. ${VENDORS}`),
  username: mappable.describe(VENDORS),
  name: mappable.describe(VENDORS),
  email: mappable.nullable().describe(`${VENDORS} null: not mapped.`),
  active: mappable
    .nullable()
    .describe(`Default: true, or what source.vendor gives, where it names one. null: true.`),
  positions: z.array(positionFields).optional(),
});

/** Conditions beside the server's filter or the query. */
export const where = {
  units: expression
    .optional()
    .describe('Units for which it is false are not there, as if the server had left them out.'),
  people: expression
    .optional()
    .describe('People for which it is false count as missing, as if the server had left them out.'),
};

export const noParent = z
  .array(text)
  .optional()
  .describe('Values of the parent that mean that there is none, as "0" or "-1".');
