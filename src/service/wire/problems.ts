import { AmbiguousError, ConfigError, FileError, ServiceError, StoppedError } from '../../domain/errors.ts';
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

export const serviceFileProblem = problemsOf(FileError, {
  'file-unsendable': 'The file {path} cannot be sent: {reason}.',
  'file-unsavable': 'The file {path} cannot be saved: {reason}.',
});

export const serviceStopped = problemsOf(StoppedError, {
  'service-not-sent': '{call}: stopped before it was sent.',
  'service-stopped': '{call}: stopped before all of its answer came.{doubt}',
});

export const unclearView = problemsOf(AmbiguousError, {
  'service-view-without-node': 'The view of organization {id} does not hold it.',
  'service-view-without-count': 'The view of an organization shows neither employees nor their number.',
});

/** Why a call got no answer of the service itself; follows the words "the service at ORIGIN". */
export const FAILURES = {
  'service-unreachable':
    'cannot be reached ({reason}): is it running, are service.baseUrl, DNS and firewall right?',
  'service-cut-off': 'gave no complete answer ({reason}): look at what is in between if it repeats',
  'service-no-tls': 'and rollcall find no common TLS: use http:// or another port',
  'service-certificate-time':
    'has a certificate that is not valid now: it needs a new one, or the clock here is wrong',
  'service-certificate-name':
    'has a certificate for another name: use a name that it carries in service.baseUrl',
  'service-certificate-untrusted':
    'has a certificate not trusted here: give the certificate of its authority with service.tls.caFile ' +
    '(or NODE_EXTRA_CA_CERTS, where caFile is not set)',
  'service-wants-certificate':
    'wants a client certificate, or ends the TLS handshake for another reason: ' +
    'give one with service.tls.certFile and service.tls.keyFile',
  'service-refuses-certificate':
    'does not accept the client certificate: is service.tls.certFile the right one?',
  'service-too-many-files':
    'cannot be asked: too many files are open here: raise the limit of open files (ulimit -n)',
  'service-answer-too-long':
    'sent an answer of more than 64 MB: is a service of this kind behind service.baseUrl?',
  'service-request-too-large': 'takes no request of this size (HTTP {http})',
  'service-redirects':
    'redirects (HTTP {http}) to {to}, and redirects are not followed: if that is the service, ' +
    'give its address as service.baseUrl',
  'service-foreign-answer':
    'answered with {body} instead of an envelope (HTTP {http}): is service.baseUrl right?',
  'service-in-trouble': 'answered HTTP {http} with status {status}: {message}',
  'service-proxy':
    'is behind a proxy that {reason}: is {place} right, may it reach the host of service.baseUrl?',
  'service-proxy-credentials':
    'is behind a proxy that does not accept our credentials (HTTP 407): ' +
    'give user and password in {place}, as http://user:password@host:port',
  'service-proxy-untrusted':
    'is behind a proxy that has a certificate not trusted here: service.tls.caFile is for its authority too',
} as const;

/** Refusals of the service, in its own words or in those of HTTP. */
export const REFUSALS = {
  'service-refuses': '{call}: the service refuses: {reason}',
  'service-says-nothing':
    'the service answers nothing when asked for an employee by id, which is not what it says of an unknown id',
} as const;
