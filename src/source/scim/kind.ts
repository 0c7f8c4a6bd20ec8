import { z } from 'zod';
import { personFields, positionQueryFields, unitFields, where } from '../../schema/field-schema.ts';
import { isClear } from '../../schema/url-problems.ts';
import { ABOUT, changes, httpUrl, section, text, tokenSource } from '../../schema/values.ts';
import { isOauthClient } from '../../domain/source-settings.ts';
import type { Kind, SettingsWithRows } from '../records/kind.ts';
import { peoplePart, positionsPart, unitsPart } from '../records/part-rules.ts';

const scimTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
}).prefault({});

const resource = (usual: string) =>
  text
    .default(usual)
    .overwrite((name) => name.replace(/^\/+/u, ''))
    .describe('Path below url.');

const scimFilter = text.optional().describe('SCIM filter, as active eq true.');

const schema = section({
  type: z.literal('scim').describe(ABOUT.type),
  url: httpUrl.describe('Address before /Users.'),
  token: tokenSource.describe('Bearer token, or OAuth client.'),
  tls: scimTls.describe(ABOUT.tls),
  complete: section({
    trust: text.describe('Why totalResults is right, though nothing proves it.'),
  })
    .optional()
    .describe('Believe totalResults, if nothing proves it.'),
  changes,
  units: section({
    resource: resource('Groups'),
    filter: scimFilter,
    where,
    fields: unitFields.describe(ABOUT.fields),
  })
    .transform((part) => unitsPart(part))
    .describe(ABOUT.units),
  people: section({
    resource: resource('Users'),
    filter: scimFilter,
    where,
    fields: personFields.describe(ABOUT.fields),
  })
    .transform((part) => peoplePart(part))
    .describe(ABOUT.people),
  positions: section({
    resource: resource('Groups'),
    filter: scimFilter,
    fields: positionQueryFields.describe(ABOUT.fields),
  })
    .transform((part) => positionsPart(part))
    .optional()
    .describe('One record for each member of a group; `member` is the id of the person.'),
});

const member = schema.partial({ units: true, people: true });
const lookup = section({ resource: text.default('Users'), filter: text.optional() });
type Input = z.output<typeof member>;

export type ScimSettings = SettingsWithRows<Input, z.output<typeof lookup>> & {
  /** Absent: 200. */
  readonly pageSize?: number;
  /** Seconds for each answer; absent: 60. Tests have less time. */
  readonly timeoutSeconds?: number;
};

export const scimKind = {
  schema,
  member,
  lookup,
  settings: (input) => input,
  secrets: [['token'], ['token', 'clientSecret']],
  inClear: ({ url, token }) => [
    ...(isClear(url, 'http:')
      ? ['source.url is http://: the token and people go over the network in clear; use https://']
      : []),
    ...(isOauthClient(token) && isClear(token.tokenUrl, 'http:')
      ? ['source.token.tokenUrl is http://: the secret goes over the network in clear; use https://']
      : []),
  ],
  schemes: ['https:', 'http:'],
  widen: 'widen source.units.filter',
  lookAt: 'resource, filter and the rights of the token',
  positionsFrom: 'fields { person: member, unit: id }',
} satisfies Kind<Input, ScimSettings>;
