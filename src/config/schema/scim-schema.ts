import { z } from 'zod';
import { personFields, positionQueryFields, unitFields, noParent, where } from './field-schema.ts';
import { token } from './service-schema.ts';
import { section } from './checks/section.ts';
import { atLeastOne, changes, httpUrl, seconds, text } from './values.ts';

const resource = (usual: string) =>
  text
    .default(usual)
    .overwrite((name) => name.replace(/^\/+/u, ''))
    .describe('Path of the list below the URL.');

const filter = text.optional().describe('SCIM filter, as in active eq true.');

const tls = section({
  caFile: text.optional().describe('PEM file of the authority that signed the certificate.'),
  insecure: z.boolean().default(false).describe('Do not check the certificate. Warned about.'),
}).prefault({});

export const scimSource = section({
  type: z.literal('scim'),
  url: httpUrl.describe('Address before /Users, as in https://idp.example.com/scim/v2'),
  token: token.describe('Bearer token; read again when it is refused, where it is a ${file:…} or a command.'),
  tls,
  pageSize: atLeastOne.default(200).describe('Records asked for in one page; a server may send fewer.'),
  trustTotals: z
    .boolean()
    .default(false)
    .describe('Whether totalResults counts all there is, even if nothing else confirms it.'),
  timeoutSeconds: seconds.default(30),
  changes,
  units: section({ resource: resource('Groups'), filter, where: where.units, noParent, fields: unitFields }),
  people: section({ resource: resource('Users'), filter, where: where.people, fields: personFields }),
  positions: section({ resource: resource('Groups'), filter, fields: positionQueryFields })
    .optional()
    .describe('One record for each member of a group; `member` is its id.'),
});
