import { z } from 'zod';
import { REMEDY, section } from './section.ts';
import { atLeastOne, httpUrl, seconds, secret, text } from './values.ts';

const token = z.union([secret, z.strictObject({ command: z.array(text).min(1) })], {
  error: `is no token${REMEDY}write \${file:/path}, a text, or { command: [program, argument] }`,
});

const limits = section({
  requestsPerSecond: z.number().positive().default(10),
  concurrency: atLeastOne.default(4),
  unitsPerImport: atLeastOne.default(100),
  peoplePerImport: atLeastOne.default(200),
  timeoutSeconds: seconds.default(30),
  pageSize: atLeastOne
    .default(1000)
    .describe('Records asked for in one page of a list; a service that refuses so many is asked for fewer.'),
  namesPerQuery: atLeastOne
    .default(200)
    .describe('Usernames in one question for employees; a service that refuses so many is asked for fewer.'),
}).prefault({});

export const serviceSchema = section({
  baseUrl: httpUrl,
  domainId: text,
  orgCode: text.describe('The ledger is bound to domainId and orgCode.'),
  token: token.describe('Read again when the service refuses it, where it is a ${file:…} or a command.'),
  limits,
  leaveVerbs: z.enum(['auto', 'disable', 'lock']).default('auto'),
});
