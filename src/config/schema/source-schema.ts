import { z } from 'zod';
import { asksSince } from '../../domain/reading/changed-since.ts';
import { SOURCE_KINDS, type SourceKind } from '../../domain/source-kinds.ts';
import { VENDOR_CHOICES } from '../../domain/vendor-names.ts';
import { csvSource } from './csv-schema.ts';
import { groupMembers, memberOf } from './group-schema.ts';
import { scimSource } from './scim-schema.ts';
import {
  entryPersonFields,
  entryUnitFields,
  noParent,
  personFields,
  positionQueryFields,
  unitFields,
  where,
} from './field-schema.ts';
import { REMEDY, section } from './checks/section.ts';
import { sourceUrlProblem } from './checks/source-url.ts';
import { atLeastOne, changes, seconds, secret, text } from './values.ts';

const sqlTls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  serverName: text
    .optional()
    .describe("Name in the server's certificate, where it is not the host of the URL."),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
}).prefault({});

const ldapTls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
  certFile: text
    .optional()
    .describe('PEM file of the certificate that rollcall shows; together with keyFile.'),
  keyFile: text.optional().describe('PEM file of its private key, without a passphrase.'),
}).prefault({});

const timeoutSeconds = seconds.default(30);

const sinceQuery = text.refine((query) => asksSince(query), {
  error: `has no :changedSince${REMEDY}put it where the time of the last read belongs`,
});

function sourceUrl(schemes: readonly string[]) {
  return text.superRefine((url, context) => {
    const message = sourceUrlProblem(url, schemes);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const scope = z.enum(['sub', 'one']);

const base = z.union(
  [text, z.array(z.union([text, section({ base: text, scope: scope.optional() })])).min(1)],
  { error: () => `is no base${REMEDY}write a DN, or a list of DNs or of { base: DN, scope: one }` },
);

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

const searchShape = {
  base: base.describe(
    'DN, or a list of DNs or of { base, scope }. For units: its entry is not a unit, it stands for the root of the service.',
  ),
  filter: filter.optional().describe('Needed, unless source.vendor names a vendor.'),
  scope: scope.default('sub').describe('For each base that has none of its own.'),
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

const ldapSource = section({
  type: z.literal('ldap'),
  url: ldapUrls.describe(
    'ldaps://host, or ldap://host with startTls: true; or a list of servers of the same directory, of which the first that answers is read.',
  ),
  changes,
  startTls: z.boolean().default(false),
  bind: z
    .enum(['simple', 'external'])
    .default('simple')
    .describe('external: by the certificate in tls.certFile (SASL EXTERNAL), without bindDn.'),
  bindDn: text.optional(),
  bindPassword: bindPassword.optional(),
  tls: ldapTls,
  pageSize: atLeastOne.default(500).describe('A server that refuses so many is asked for fewer.'),
  referrals: z
    .enum(['fail', 'ignore', 'follow'])
    .default('fail')
    .describe(
      'What happens where a part is on another server: the read is incomplete, the part is left out, or it is read there with the same bind.',
    ),
  derefAliases: z
    .enum(['never', 'search', 'find', 'always'])
    .default('never')
    .describe('Whether aliases are replaced by the entries they name.'),
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

const sqlChanges = section({
  query: sinceQuery.describe('The people that changed since :changedSince, with the columns of query.'),
  ids: text.optional().describe('The keys of all people; either this or removed.'),
  removed: sinceQuery.optional().describe('The keys of people who were removed since :changedSince.'),
  key: text.optional().describe('Column of the keys, where it is not the one that id reads.'),
  overlapSeconds: seconds
    .min(60)
    .default(300)
    .describe('So much earlier than the last read; longer than the longest transaction that writes.'),
})
  .refine(({ ids, removed }) => (ids === undefined) !== (removed === undefined), {
    error: `needs either ids or removed${REMEDY}without one of them nobody could be seen to leave`,
  })
  .describe('How to read only what changed, with source.changes: auto.');

const sqlSource = section({
  type: z.literal('sql'),
  url: sourceUrl(SOURCE_KINDS.sql.schemes).describe(
    'postgres:// mysql:// mariadb:// sqlserver:// oracle:// sqlite:PATH',
  ),
  password: secret
    .optional()
    .describe('Of the user in url, as it is: here no sign in it needs to be percent-encoded.'),
  tls: sqlTls,
  timeoutSeconds,
  changes,
  units: section({ query: text, where: where.units, noParent, fields: unitFields }),
  people: section({ query: text, where: where.people, changes: sqlChanges.optional(), fields: personFields }),
  positions: section({ query: text, fields: positionQueryFields })
    .optional()
    .describe('One row for each person and unit.'),
});

const SCHEMAS = { ldap: ldapSource, sql: sqlSource, csv: csvSource, scim: scimSource } satisfies Readonly<
  Record<SourceKind, unknown>
>;
const kinds = Object.keys(SCHEMAS).map((kind) => `type: ${kind}`);

export const sourceSchema = z.discriminatedUnion(
  'type',
  [SCHEMAS.ldap, SCHEMAS.sql, SCHEMAS.csv, SCHEMAS.scim],
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? `is no kind of source${REMEDY}write ${kinds.join(' or ')}` : undefined,
  },
);

/** The same without units or people: of several sources each has its part. */
export const MEMBERS = {
  ldap: ldapSource.partial({ units: true, people: true }),
  sql: sqlSource.partial({ units: true, people: true }),
  csv: csvSource.partial({ units: true, people: true }),
  scim: scimSource.partial({ units: true, people: true }),
} satisfies Readonly<Record<SourceKind, unknown>>;

/** What is asked of a source beside its units and people. */
export const ASKS = {
  ldap: section(searchShape),
  sql: section({ query: text }),
  csv: section({ file: text }),
  scim: section({ resource: text.default('Users'), filter: text.optional() }),
} satisfies Readonly<Record<SourceKind, unknown>>;

export type MemberInput<K extends SourceKind> = z.output<(typeof MEMBERS)[K]>;

/** What the file says about a source of this kind. */
export type SourceInput<K extends SourceKind> = z.output<(typeof SCHEMAS)[K]>;
export type UnitInput = z.output<typeof unitFields>;
export type PersonInput = z.output<typeof personFields>;
