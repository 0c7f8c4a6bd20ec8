import { z } from 'zod';
import { SOURCE_KINDS, type SourceKind } from '../../domain/source-kinds.ts';
import { personFields, positionQueryFields, unitFields } from './field-schema.ts';
import { REMEDY, section } from './section.ts';
import { sourceUrlProblem } from './source-url.ts';
import { atLeastOne, seconds, secret, text } from './values.ts';

const tls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
}).prefault({});

const timeoutSeconds = seconds.default(30);

function sourceUrl(schemes: readonly string[]) {
  return text.superRefine((url, context) => {
    const message = sourceUrlProblem(url, schemes);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const searchShape = {
  base: text.describe('DN. For units: its entry is not a unit, it stands for the root of the service.'),
  filter: text.refine((filter) => filter.startsWith('('), {
    error: `is no LDAP filter${REMEDY}put it in brackets, as in (objectClass=person)`,
  }),
  scope: z.enum(['sub', 'one']).default('sub'),
};

const ldapSource = section({
  type: z.literal('ldap'),
  url: sourceUrl(SOURCE_KINDS.ldap.schemes).describe('ldaps://host, or ldap://host with startTls: true'),
  startTls: z.boolean().default(false),
  bindDn: text.optional(),
  bindPassword: secret.optional(),
  tls,
  pageSize: atLeastOne.default(500),
  referrals: z.enum(['fail', 'ignore']).default('fail'),
  timeoutSeconds,
  units: section({ ...searchShape, fields: unitFields }),
  people: section({ ...searchShape, fields: personFields }),
});

const sqlSource = section({
  type: z.literal('sql'),
  url: sourceUrl(SOURCE_KINDS.sql.schemes).describe('postgres:// mysql:// mariadb:// sqlite:PATH'),
  tls,
  timeoutSeconds,
  units: section({ query: text, fields: unitFields }),
  people: section({ query: text, fields: personFields }),
  positions: section({ query: text, fields: positionQueryFields })
    .optional()
    .describe('One row for each person and unit.'),
});

const SCHEMAS = { ldap: ldapSource, sql: sqlSource } satisfies Readonly<Record<SourceKind, unknown>>;
const kinds = Object.keys(SCHEMAS).map((kind) => `type: ${kind}`);

export const sourceSchema = z.discriminatedUnion('type', [SCHEMAS.ldap, SCHEMAS.sql], {
  error: (issue) =>
    issue.code === 'invalid_union' ? `is no kind of source${REMEDY}write ${kinds.join(' or ')}` : undefined,
});

/** What the file says about a source of this kind. */
export type SourceInput<K extends SourceKind> = z.output<(typeof SCHEMAS)[K]>;
export type UnitInput = z.output<typeof unitFields>;
export type PersonInput = z.output<typeof personFields>;
