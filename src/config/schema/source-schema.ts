import { z } from 'zod';
import { fieldRule, noParent, personFields, positionQueryFields, unitFields, where } from './field-schema.ts';
import { ldapSource, searchShape } from './ldap-schema.ts';
import { sourceUrl } from './url-problems.ts';
import {
  ABOUT,
  changes,
  httpUrl,
  percent,
  REMEDY,
  seconds,
  secretSource,
  tokenSource,
  section,
  text,
  timeoutSeconds,
} from './values.ts';
import { asksSince, CSV_ENCODINGS, CSV_SEPARATORS } from '../../domain/source-choices.ts';
import { SOURCE_KINDS, type SourceKind } from '../../domain/source-kinds.ts';

const sqlTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
}).prefault({});

const oneQuery = text.describe('SELECT, WITH … SELECT or VALUES.');

const sinceQuery = text.refine((query) => asksSince(query), {
  error: `has no :changedSince${REMEDY}put it where the time of the last read belongs`,
});

const sqlChanges = section({
  query: sinceQuery.describe(
    'Query for the people who changed since :changedSince, with the columns of query.',
  ),
  ids: text.optional().describe('Query for the keys of all people. Either this or removed.'),
  removed: sinceQuery
    .optional()
    .describe('Query for the keys of people who were removed since :changedSince.'),
  key: text.optional().describe('Column of the keys. Default: the column of id.'),
  overlapSeconds: seconds
    .min(60)
    .default(300)
    .describe(
      'Seconds before the last read from which changes are asked again. Longer than the longest writing transaction.',
    ),
})
  .refine(({ ids, removed }) => (ids === undefined) !== (removed === undefined), {
    error: `needs either ids or removed${REMEDY}without one of them rollcall sees no leaver`,
  })
  .describe('Queries for source.changes: auto.');

const sqlSource = section({
  type: z.literal('sql').describe('A database.'),
  url: sourceUrl(SOURCE_KINDS.sql.schemes).describe(
    'Address: postgres://, mysql://, mariadb://, sqlserver://, oracle:// or sqlite:PATH.',
  ),
  password: secretSource
    .optional()
    .describe('Password of the user in url, not percent-encoded: a text, ${file:…} or a command.'),
  tls: sqlTls.describe(ABOUT.tls),
  timeoutSeconds,
  changes,
  units: section({
    query: oneQuery,
    where: where.units,
    noParent,
    fields: unitFields.describe(ABOUT.fields),
  }).describe(ABOUT.units),
  people: section({
    query: oneQuery,
    where: where.people,
    changes: sqlChanges.optional(),
    fields: personFields.describe(ABOUT.fields),
  }).describe(ABOUT.people),
  positions: section({ query: oneQuery, fields: positionQueryFields.describe(ABOUT.fields) })
    .optional()
    .describe(ABOUT.positions),
});

const completeFiles = section({
  doneFile: text
    .optional()
    .describe(
      'File that the export writes last. If it is missing or older than another file, the read is incomplete.',
    ),
  trailer: section({
    pattern: text.describe(
      'Regular expression of the last line. Its first group is the number of rows: ^END;(\\d+)$',
    ),
  })
    .optional()
    .describe('Last line of each file that proves its end.'),
  maxAgeHours: z.number().positive().optional().describe('Hours after which a file is too old to be read.'),
  quietSeconds: z
    .number()
    .min(0)
    .default(10)
    .describe('Seconds for which a file must be unchanged. Ignored with doneFile or trailer.'),
  atLeastPercent: percent
    .default(80)
    .describe(
      'Share of the records of the last complete read that must be there. A loss of up to 5 records is accepted.',
    ),
}).prefault({});

const csvFile = text.describe(
  'Path of the file. A relative path begins at the folder in which rollcall was started.',
);

const csvSource = section({
  type: z.literal('csv').describe('An export of CSV files.'),
  encoding: z
    .enum(CSV_ENCODINGS)
    .default('utf-8')
    .describe('Encoding of the files; latin1 includes windows-1252.'),
  separator: z
    .enum(CSV_SEPARATORS)
    .default('auto')
    .describe('Character between two cells; auto takes the most frequent one of the header.'),
  quotes: z.boolean().default(true).describe('Whether " encloses cells.'),
  complete: completeFiles.describe('How rollcall knows that the files are complete.'),
  units: section({
    file: csvFile,
    where: where.units,
    noParent,
    fields: unitFields.describe(ABOUT.fields),
  }).describe(ABOUT.units),
  people: section({
    file: csvFile,
    where: where.people,
    fields: personFields.describe(ABOUT.fields),
  }).describe(ABOUT.people),
  positions: section({ file: csvFile, fields: positionQueryFields.describe(ABOUT.fields) })
    .optional()
    .describe(ABOUT.positions),
});

const scimTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
}).prefault({});

const resource = (usual: string) =>
  text
    .default(usual)
    .overwrite((name) => name.replace(/^\/+/u, ''))
    .describe('Path of the list below the URL.');

const scimFilter = text.optional().describe('SCIM filter, for example: active eq true.');

const scimSource = section({
  type: z.literal('scim').describe('A SCIM 2.0 server.'),
  url: httpUrl.describe('Address before /Users, for example https://idp.example.com/scim/v2.'),
  token: tokenSource.describe(
    'Bearer token, or the OAuth client that gets one. It is read again if the token is refused.',
  ),
  tls: scimTls.describe(ABOUT.tls),
  trustTotals: z
    .boolean()
    .default(false)
    .describe('Whether totalResults is believed if nothing else confirms it.'),
  timeoutSeconds,
  changes,
  units: section({
    resource: resource('Groups'),
    filter: scimFilter,
    where: where.units,
    noParent,
    fields: unitFields.describe(ABOUT.fields),
  }).describe(ABOUT.units),
  people: section({
    resource: resource('Users'),
    filter: scimFilter,
    where: where.people,
    fields: personFields.describe(ABOUT.fields),
  }).describe(ABOUT.people),
  positions: section({
    resource: resource('Groups'),
    filter: scimFilter,
    fields: positionQueryFields.describe(ABOUT.fields),
  })
    .optional()
    .describe(
      'Positions of people: one record for each member of a group; `member` is the id of the person.',
    ),
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

/** What is asked of a source in addition to its units and people. */
export const LOOKUPS = {
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

/** Keys of one part of `source` that say where it comes from, in addition to what is asked there. */
export const joinShape = {
  from: text.describe('Name of one of sources.'),
  on: z
    .record(text, text)
    .refine((pairs) => Object.keys(pairs).length > 0, {
      error: `is empty${REMEDY}name what is equal on both sides, as in { employeeID: emp_no }`,
    })
    .describe('OWN_ATTRIBUTE: attribute or column of the other source. Both values must be equal.'),
  missing: z
    .enum(['block', 'empty'])
    .default('block')
    .describe('People without a partner: skipped and listed (block), or mapped without its values (empty).'),
};

export const joinHead = section(joinShape);

/** Units that are made from values of people. */
export const distinctSchema = section({
  distinct: fieldRule.describe('Rule over people. Each value is a unit; positions default to it.'),
  separator: z
    .string()
    .min(
      1,
      `is empty${REMEDY}write the text between a unit and those below it, as "/", or leave it out for one level`,
    )
    .optional()
    .describe('Text between a unit and the unit below it, for example "/".'),
});

export const idPrefix = z.string().default('').describe('Text before each id of this source.');
