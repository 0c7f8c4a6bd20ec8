import { z } from 'zod';
import { entryPersonFields, entryUnitFields, noParent, where } from './field-schema.ts';
import { sourceUrl } from './url-problems.ts';
import { ABOUT, changes, REMEDY, secretSource, section, text, timeoutSeconds } from './values.ts';
import { MEMBERS_BY, NESTED, VENDOR_CHOICES } from '../../domain/source-choices.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';

const by = z.enum(MEMBERS_BY);

const memberRules = section({
  by: by.describe('Attribute that names the members of a group; memberOf is an attribute of the members.'),
  nested: z
    .enum(NESTED)
    .default('units')
    .describe(
      'Meaning of a group in a group: the unit below it (units), its people belong to both (people), or nothing (none).',
    ),
});

/** How groups that are units name their members. */
const groupMembers = z
  .union([by, memberRules], {
    error: () =>
      `is no way to tell members${REMEDY}write ${MEMBERS_BY.join(', ')}, or { by: member, nested: units | people | none }`,
  })
  .optional()
  .describe(
    'For units that are groups: attribute of the members. Positions default to the groups of a person.',
  );

/** Groups whose members alone are in scope. */
const memberOf = z
  .union([text, z.array(text).min(1)], { error: () => `is no group${REMEDY}write its DN, or a list of DNs` })
  .optional()
  .describe('DN of a group, or a list: only members are in scope, also members of groups in it.');

const ldapTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
  certFile: text.optional().describe(ABOUT.certFile),
  keyFile: text.optional().describe(ABOUT.keyFile),
}).prefault({});

const base = z.union([text, z.array(text).min(1)], {
  error: () => `is no base${REMEDY}write a DN, or a list of DNs`,
});

const filter = text.refine((one) => one.startsWith('('), {
  error: `is no LDAP filter${REMEDY}put it in brackets, as in (objectClass=person)`,
});

/** `389` stands without quotes in a file, because it is a number. */
const vendor = z
  .preprocess((name) => (name === 389 ? '389' : name), z.enum(VENDOR_CHOICES))
  .meta({ type: ['string', 'integer'], enum: [...VENDOR_CHOICES, 389] })
  .optional()
  .describe(
    'Kind of directory. A named vendor gives defaults for filters and fields; auto (the default) and generic give none.',
  );

export const searchShape = {
  base: base.describe(
    'DN, or a list of DNs. The base of the units is no unit itself: it stands for the root of the service.',
  ),
  filter: filter.optional().describe('LDAP filter in brackets. Required without a named source.vendor.'),
  scope: z
    .enum(['sub', 'one'])
    .default('sub')
    .describe('Entries of each base: all below it (sub), or one level (one).'),
  exclude: z
    .array(text)
    .optional()
    .describe('Out of scope: DNs with everything below them, or filters in brackets.'),
};

const ldapUrl = sourceUrl(SOURCE_KINDS.ldap.schemes);
const ldapUrls = z.union([ldapUrl, z.array(ldapUrl).min(1)], {
  error: `is no URL${REMEDY}write ldaps://host, or a list of such`,
});

export const ldapSource = section({
  type: z.literal('ldap').describe('An LDAP directory.'),
  url: ldapUrls.describe(
    'ldaps://host, or ldap://host with startTls. A list: the first server that answers is read.',
  ),
  changes,
  startTls: z.boolean().default(false).describe('Encrypt an ldap:// connection by StartTLS.'),
  bindDn: text
    .optional()
    .describe(
      'Name of the reading account. Without it, tls.certFile identifies the account (SASL EXTERNAL); without both, the bind is anonymous.',
    ),
  bindPassword: secretSource.optional().describe('Password of bindDn: a text, ${file:…} or a command.'),
  tls: ldapTls.describe(ABOUT.tls),
  referrals: z
    .enum(['fail', 'ignore'])
    .default('fail')
    .describe(
      'If a part is on another server: the read is incomplete (fail), or the part is skipped (ignore).',
    ),
  timeoutSeconds,
  vendor,
  units: section({
    ...searchShape,
    members: groupMembers,
    where: where.units,
    noParent,
    fields: entryUnitFields.prefault({}).describe(ABOUT.fields),
  }).describe(ABOUT.units),
  people: section({
    ...searchShape,
    memberOf,
    where: where.people,
    fields: entryPersonFields.prefault({}).describe(ABOUT.fields),
  }).describe(ABOUT.people),
});
