import { z } from 'zod';
import { entryPersonFields, entryUnitFields, noParent, where } from './field-schema.ts';
import { sourceUrl } from './url-problems.ts';
import { changes, REMEDY, secret, section, text, timeoutSeconds } from './values.ts';
import { MEMBERS_BY, NESTED, VENDOR_CHOICES } from '../../domain/source-choices.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';

const by = z.enum(MEMBERS_BY);

const memberRules = section({
  by: by.describe('The attribute that tells who belongs to a group; memberOf is that of its members.'),
  nested: z
    .enum(NESTED)
    .default('units')
    .describe(
      'What a group in a group is: the unit below (units); one whose people belong to both (people); nothing (none).',
    ),
});

/** How groups that are units tell their members. */
const groupMembers = z
  .union([by, memberRules], {
    error: () =>
      `is no way to tell members${REMEDY}write ${MEMBERS_BY.join(', ')}, or { by: member, nested: units | people | none }`,
  })
  .optional()
  .describe('The units are groups, and who is a member of one belongs to it. Positions default to that.');

/** Groups whose members alone are in scope. */
const memberOf = z
  .union([text, z.array(text).min(1)], { error: () => `is no group${REMEDY}write its DN, or a list of DNs` })
  .optional()
  .describe(
    'DN of a group, or a list: only its members are in scope, also those of groups in it. As filter does.',
  );

const ldapTls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
  certFile: text
    .optional()
    .describe('PEM file of the certificate that rollcall shows; together with keyFile.'),
  keyFile: text.optional().describe('PEM file of its private key, without a passphrase.'),
}).prefault({});

const base = z.union([text, z.array(text).min(1)], {
  error: () => `is no base${REMEDY}write a DN, or a list of DNs`,
});

const filter = text.refine((one) => one.startsWith('('), {
  error: `is no LDAP filter${REMEDY}put it in brackets, as in (objectClass=person)`,
});

/** `389` stands without quotes in a file, where it is a number. */
const vendor = z
  .preprocess((name) => (name === 389 ? '389' : name), z.enum(VENDOR_CHOICES))
  .meta({ type: ['string', 'integer'], enum: [...VENDOR_CHOICES, 389] })
  .optional()
  .describe(
    'Whose directory it is. A named vendor gives defaults for filters and fields that the file does not have; auto (the default) and generic give none.',
  );

export const searchShape = {
  base: base.describe(
    'DN, or a list of DNs. For units: its entry is not a unit, it stands for the root of the service.',
  ),
  filter: filter.optional().describe('Needed, unless source.vendor names a vendor.'),
  scope: z.enum(['sub', 'one']).default('sub').describe('Of each base: all below it, or one level.'),
  exclude: z
    .array(text)
    .optional()
    .describe('Out of scope: each is a DN, with everything below it, or a filter in brackets.'),
};

const ldapUrl = sourceUrl(SOURCE_KINDS.ldap.schemes);
const ldapUrls = z.union([ldapUrl, z.array(ldapUrl).min(1)], {
  error: `is no URL${REMEDY}write ldaps://host, or a list of such`,
});

const bindPassword = z.union([secret, z.strictObject({ command: z.array(text).min(1) })], {
  error: `is no password${REMEDY}write \${file:/path}, a text, or { command: [program, argument] }`,
});

export const ldapSource = section({
  type: z.literal('ldap'),
  url: ldapUrls.describe(
    'ldaps://host, or ldap://host with startTls: true; or a list of servers of the same directory, of which the first that answers is read.',
  ),
  changes,
  startTls: z.boolean().default(false),
  bindDn: text
    .optional()
    .describe('Without it, tls.certFile says who it is (SASL EXTERNAL); without both, nobody in particular.'),
  bindPassword: bindPassword.optional(),
  tls: ldapTls,
  referrals: z
    .enum(['fail', 'ignore'])
    .default('fail')
    .describe(
      'What happens where a part is on another server: the read is incomplete, or the part is left out; that server can be one of sources.',
    ),
  timeoutSeconds,
  vendor,
  units: section({
    ...searchShape,
    members: groupMembers,
    where: where.units,
    noParent,
    fields: entryUnitFields.prefault({}),
  }),
  people: section({
    ...searchShape,
    memberOf,
    where: where.people,
    fields: entryPersonFields.prefault({}),
  }),
});
