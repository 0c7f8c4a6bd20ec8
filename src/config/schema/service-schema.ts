import { z } from 'zod';
import { CALL_SIZES } from '../../domain/settings.ts';
import { proxyUrlProblem, storeUrlProblem } from '../../schema/url-problems.ts';
import { ABOUT, atLeastOne, checkedText, httpUrl, secretSource, section, text } from '../../schema/values.ts';

const tls = section({
  caFile: text.optional().describe('PEM file of the authority, in place of those of the system.'),
  certFile: text.optional().describe(ABOUT.certFile),
  keyFile: text.optional().describe(ABOUT.keyFile),
});

const shared = section({
  url: checkedText(storeUrlProblem).describe('Address of Redis, redis:// or rediss://.'),
  caFile: text.optional().describe(ABOUT.caFile),
});

const limits = section({
  requestsPerSecond: z.number().positive().default(10).describe('Most calls per second.'),
  concurrency: atLeastOne.default(4).describe('Most calls at a time.'),
  shared: shared.optional().describe('Several processes share requestsPerSecond.'),
})
  .transform((given) => ({ ...CALL_SIZES, ...given }))
  .prefault({});

export const serviceSchema = section({
  baseUrl: httpUrl.describe('Address of the service.'),
  domainId: text.describe('Id of the domain.'),
  orgCode: text.describe('Code of the organization.'),
  token: secretSource.describe('Access token, read again if it is refused.'),
  appToken: secretSource.optional().describe('Token of an application.'),
  tls: tls.optional().describe('Certificates.'),
  proxy: checkedText(proxyUrlProblem)
    .optional()
    .describe('http://user:password@host:port. Default for https: HTTPS_PROXY, NO_PROXY.'),
  limits: limits.describe('Pace of calls.'),
});
