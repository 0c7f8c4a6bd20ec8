import { z } from 'zod';
import { fieldRule, noParent, personFields, positionQueryFields, unitFields, where } from './field-schema.ts';
import { ldapSource, searchShape } from './ldap-schema.ts';
import { token } from './service-schema.ts';
import { sourceUrl } from './url-problems.ts';
import {
  changes,
  httpUrl,
  percent,
  REMEDY,
  seconds,
  secret,
  section,
  text,
  timeoutSeconds,
} from './values.ts';
import { asksSince, CSV_ENCODINGS, CSV_SEPARATORS } from '../../domain/source-choices.ts';
import { SOURCE_KINDS, type SourceKind } from '../../domain/source-kinds.ts';

const sqlTls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
}).prefault({});

const sinceQuery = text.refine((query) => asksSince(query), {
  error: `has no :changedSince${REMEDY}put it where the time of the last read belongs`,
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

const completeFiles = section({
  doneFile: text
    .optional()
    .describe('File that the export writes last: not there, or older than another file, means not whole.'),
  trailer: section({
    pattern: text.describe(
      'Regular expression for the last line; its first group is the number of rows: ^END;(\\d+)$',
    ),
  }).optional(),
  maxAgeHours: z.number().positive().optional().describe('An older file is not read.'),
  quietSeconds: z
    .number()
    .min(0)
    .default(10)
    .describe('A file that changed so lately is waited for; not with doneFile or trailer.'),
  atLeastPercent: percent
    .default(80)
    .describe(
      'Fewer records than this share of the last complete read, and more than 5 fewer, is incomplete.',
    ),
}).prefault({});

const csvFile = text.describe('Path; a relative one begins at the folder in which rollcall was started.');

const csvSource = section({
  type: z.literal('csv'),
  encoding: z.enum(CSV_ENCODINGS).default('utf-8').describe('latin1 is also windows-1252.'),
  separator: z
    .enum(CSV_SEPARATORS)
    .default('auto')
    .describe('auto: the commonest of , ; tab | in the header.'),
  quotes: z.boolean().default(true).describe('Whether " begins and ends a cell.'),
  complete: completeFiles,
  units: section({ file: csvFile, where: where.units, noParent, fields: unitFields }),
  people: section({ file: csvFile, where: where.people, fields: personFields }),
  positions: section({ file: csvFile, fields: positionQueryFields })
    .optional()
    .describe('One row for each person and unit.'),
});

const scimTls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
}).prefault({});

const resource = (usual: string) =>
  text
    .default(usual)
    .overwrite((name) => name.replace(/^\/+/u, ''))
    .describe('Path of the list below the URL.');

const scimFilter = text.optional().describe('SCIM filter, as in active eq true.');

const scimSource = section({
  type: z.literal('scim'),
  url: httpUrl.describe('Address before /Users, as in https://idp.example.com/scim/v2'),
  token: token.describe('Bearer token; read again when it is refused, where it is a ${file:…} or a command.'),
  tls: scimTls,
  trustTotals: z
    .boolean()
    .default(false)
    .describe('Whether totalResults counts all there is, even if nothing else confirms it.'),
  timeoutSeconds,
  changes,
  units: section({
    resource: resource('Groups'),
    filter: scimFilter,
    where: where.units,
    noParent,
    fields: unitFields,
  }),
  people: section({
    resource: resource('Users'),
    filter: scimFilter,
    where: where.people,
    fields: personFields,
  }),
  positions: section({ resource: resource('Groups'), filter: scimFilter, fields: positionQueryFields })
    .optional()
    .describe('One record for each member of a group; `member` is its id.'),
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

/** Keys of one part of `source` that say where it comes from, beside what is asked there. */
export const joinShape = {
  from: text,
  on: z
    .record(text, text)
    .refine((pairs) => Object.keys(pairs).length > 0, {
      error: `is empty${REMEDY}name what is equal on both sides, as in { employeeID: emp_no }`,
    })
    .describe('Own attribute: attribute or column of the other source.'),
  missing: z
    .enum(['block', 'empty'])
    .default('block')
    .describe('A person without a partner is left as it is and listed, or goes on without its values.'),
};

export const joinHead = section(joinShape);

/** Units that are made from values of people. */
export const distinctSchema = section({
  distinct: fieldRule.describe('A unit for each value; positions default to it.'),
  separator: z
    .string()
    .min(
      1,
      `is empty${REMEDY}write the text between a unit and those below it, as "/", or leave it out for one level`,
    )
    .optional()
    .describe('Separates a unit from those below it, as "/".'),
});

export const idPrefix = z.string().default('').describe('Stands before each id of this source.');
