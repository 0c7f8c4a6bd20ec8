import { z } from 'zod';
import { proxyUrlProblem, storeUrlProblem } from './url-problems.ts';
import { atLeastOne, httpUrl, REMEDY, seconds, secret, section, text } from './values.ts';

export const token = z.union([secret, z.strictObject({ command: z.array(text).min(1) })], {
  error: `is no token${REMEDY}write \${file:/path}, a text, or { command: [program, argument] }`,
});

const tls = section({
  caFile: text
    .optional()
    .describe(
      "PEM file of the authority that signed the service's certificate; replaces those of the system.",
    ),
  certFile: text
    .optional()
    .describe('PEM file of the certificate that rollcall shows; together with keyFile.'),
  keyFile: text.optional().describe('PEM file of its private key, without a passphrase.'),
  serverName: text
    .optional()
    .describe("Name in the service's certificate, where it is not the host of baseUrl."),
});

const proxy = text.superRefine((url, context) => {
  const message = proxyUrlProblem(url);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const shared = section({
  url: text
    .superRefine((url, context) => {
      const message = storeUrlProblem(url);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .describe('redis://, rediss:// or postgres://: what the processes share their pace by.'),
  caFile: text.optional().describe('PEM file of the authority that signed its certificate.'),
});

const limits = section({
  requestsPerSecond: z.number().positive().default(10),
  concurrency: atLeastOne.default(4),
  unitsPerImport: atLeastOne.default(100),
  peoplePerImport: atLeastOne.default(200),
  timeoutSeconds: seconds
    .default(30)
    .describe('For a whole request; for a file that is sent or saved, without any byte moving.'),
  pageSize: atLeastOne
    .default(1000)
    .describe('Records asked for in one page of a list; a service that refuses so many is asked for fewer.'),
  namesPerQuery: atLeastOne
    .default(1000)
    .describe(
      'Usernames in one question for employees at most. It begins with 200, tries more where the service takes them, and asks for fewer where it refuses.',
    ),
  shared: shared
    .optional()
    .describe(
      'For several processes that call one service: requestsPerSecond then holds for all of them together.',
    ),
}).prefault({});

export const serviceSchema = section({
  baseUrl: httpUrl,
  domainId: text,
  orgCode: text.describe('The ledger is bound to domainId and orgCode.'),
  token: token.describe('Read again when the service refuses it, where it is a ${file:…} or a command.'),
  appToken: token
    .optional()
    .describe('Token of application identity, for operations that take no other; read again like token.'),
  tls: tls.optional(),
  proxy: proxy
    .optional()
    .describe(
      'http://user:password@host:port; without it, https:// services use HTTPS_PROXY and NO_PROXY of the environment.',
    ),
  limits,
});
