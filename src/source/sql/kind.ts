import { z } from 'zod';
import { personFields, positionQueryFields, unitFields, where } from '../../schema/field-schema.ts';
import { sourceUrl } from '../../schema/url-problems.ts';
import { ABOUT, changes, REMEDY, secretSource, section, text } from '../../schema/values.ts';
import { asksSince } from '../../domain/source-choices.ts';
import { databaseFindings } from './settings-findings.ts';
import type { Kind, SettingsWithRows } from '../records/kind.ts';
import { peoplePart, positionsPart, unitsPart } from '../records/part-rules.ts';

export const SQL_SCHEMES = [
  'postgres:',
  'postgresql:',
  'mysql:',
  'mariadb:',
  'sqlserver:',
  'mssql:',
  'oracle:',
  'sqlite:',
] as const;

const sqlTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
}).prefault({});

const oneQuery = text.describe('One statement that reads.');

const sinceQuery = text.refine((query) => asksSince(query), {
  error: `has no :changedSince${REMEDY}put it where the time of the last read belongs`,
});

const sqlChanges = section({
  query: sinceQuery.describe('Changed since :changedSince, columns as in query.'),
  ids: text.optional().describe('Keys of all people; this or removed.'),
  removed: sinceQuery.optional().describe('Keys removed since :changedSince.'),
  key: text.optional().describe('Column of keys, else that of id.'),
})
  .refine(({ ids, removed }) => (ids === undefined) !== (removed === undefined), {
    error: `needs either ids or removed${REMEDY}without one of them rollcall sees no leaver`,
  })
  .describe('Queries for changes: auto.');

const schema = section({
  type: z.literal('sql').describe(ABOUT.type),
  url: sourceUrl(SQL_SCHEMES).describe(
    'postgres://, mysql://, mariadb://, sqlserver://, oracle:// or sqlite:PATH.',
  ),
  password: secretSource.optional().describe('Password, not percent-encoded.'),
  tls: sqlTls.describe(ABOUT.tls),
  changes,
  units: section({
    query: oneQuery,
    where,
    fields: unitFields.describe(ABOUT.fields),
  })
    .transform((part) => unitsPart(part))
    .describe(ABOUT.units),
  people: section({
    query: oneQuery,
    where,
    changes: sqlChanges.optional(),
    fields: personFields.describe(ABOUT.fields),
  })
    .transform((part) => peoplePart(part))
    .describe(ABOUT.people),
  positions: section({ query: oneQuery, fields: positionQueryFields.describe(ABOUT.fields) })
    .transform((part) => positionsPart(part))
    .optional()
    .describe(ABOUT.positions),
});

const member = schema.partial({ units: true, people: true });
const lookup = section({ query: text });
type Input = z.output<typeof member>;

export type SqlSettings = SettingsWithRows<Input, z.output<typeof lookup>> & {
  /** Seconds for each answer; absent: 300. Tests have less time. */
  readonly timeoutSeconds?: number;
};

/** How a database tells what changed since an earlier read. */
export type SqlIncrements = z.output<typeof sqlChanges>;

export const sqlKind = {
  schema,
  member,
  lookup,
  settings: (input) => input,
  secrets: [['password']],
  findings: databaseFindings,
  // Drivers ask for TLS, unless the URL says otherwise.
  inClear: () => [],
  schemes: SQL_SCHEMES,
  widen: 'widen source.units.query',
  lookAt: 'query and the rights of the reading account',
  positionsFrom: 'a query',
} satisfies Kind<Input, SqlSettings>;
