import { z } from 'zod';
import { CALL_SIZES } from '../../domain/settings.ts';
import { proxyUrlProblem, storeUrlProblem } from '../../schema/url-problems.ts';
import { ABOUT, atLeastOne, checkedText, httpUrl, secretSource, section, text } from '../../schema/values.ts';

const tls = section({
  caFile: text.optional().describe(`${ABOUT.caFile} It replaces the authorities of the system.`),
  certFile: text.optional().describe(ABOUT.certFile),
  keyFile: text.optional().describe(ABOUT.keyFile),
});

const shared = section({
  url: checkedText(storeUrlProblem).describe(
    'Redis by which the processes share their pace: redis:// or rediss://.',
  ),
  caFile: text.optional().describe(ABOUT.caFile),
});

const limits = section({
  requestsPerSecond: z.number().positive().default(10).describe('Calls per second at most.'),
  concurrency: atLeastOne.default(4).describe('Calls at the same time at most.'),
  shared: shared
    .optional()
    .describe(
      'One pace for several processes that call one service: requestsPerSecond counts for all of them together.',
    ),
})
  .transform((given) => ({ ...CALL_SIZES, ...given }))
  .prefault({});

export const serviceSchema = section({
  baseUrl: httpUrl.describe('Address of the service, for example https://im.example.com.'),
  domainId: text.describe('Id of the domain in the service.'),
  orgCode: text.describe(
    'Code of the organization in the service. The ledger is bound to domainId and orgCode.',
  ),
  token: secretSource.describe(
    'Access token. ${file:…} and a command are read again if the service refuses the token.',
  ),
  appToken: secretSource
    .optional()
    .describe('Token of an application, for operations that need one. It is read again like token.'),
  tls: tls.optional().describe('Certificates for the connection to the service.'),
  proxy: checkedText(proxyUrlProblem)
    .optional()
    .describe(
      'Proxy: http://user:password@host:port. Default for https://: HTTPS_PROXY and NO_PROXY of the environment.',
    ),
  limits: limits.describe('Pace and sizes of calls.'),
});
