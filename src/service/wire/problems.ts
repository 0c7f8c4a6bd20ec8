import { ConfigError, ServiceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';

const CHECK_SCOPE = 'Are service.orgCode and service.domainId right?';

export const serviceProblem = problemsOf(ServiceError, {
  'service-token-unreadable': '{key}: {reason}.',
  'service-token-empty': '{key}: is empty: give the token alone.',
  'service-token-json': '{key}: is JSON: give the token alone, without braces and quotation marks.',
  'service-token-unknown':
    '{call}: the service does not know the access token (10011): {remedy}; see {place}.',
  'service-no-root': `{reason} ${CHECK_SCOPE}`,
  'service-other-root': `The service answers with organization {found} when asked for {asked}. ${CHECK_SCOPE}`,
  'service-other-record': 'The service answers with {kind} {found} when asked for {asked}.',
  'service-refuses-questions': 'The service refuses every question for employees. The last refusal: {reason}',
  'service-other-shape': '{call}: the answer is not as the interface says: {reason}.',
  'service-long-pause': '{call}: the service asks not to be called for {minutes} minutes (Retry-After).',
  'service-no-shared-pace':
    'service.limits.shared: the pace that is shared at {place} does not answer ({reason}). ' +
    'Nothing is sent without it: start it again, or take service.limits.shared out.',
});

export const serviceConfigProblem = problemsOf(ConfigError, {
  'service-tls-file': 'service.tls.{key}: {reason}.',
  'service-proxy-url':
    'HTTPS_PROXY or HTTP_PROXY of the environment is no URL of a proxy; write it as http://host:port, remove it, or set service.proxy.',
  'service-no-app-token':
    '{call} is for applications only: it needs service.appToken, a token of application identity.',
  'service-no-recipient': 'notify.to has no username, or a blank one: nothing was sent.',
});
