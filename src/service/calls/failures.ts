/** Why no answer came. */
export interface Failure {
  /** Whether nothing was done: the call never left, or HTTP says that it was not taken. */
  readonly undone: boolean;
  /** Whether trying again is of no use. */
  readonly lasting: boolean;
  /** Whether the answer was too long to be read: a smaller question may bring one. */
  readonly isTooMuch?: true;
  /** What happened and what to do; follows the words "the service". */
  readonly sentence: string;
}

const unsent = { undone: true, lasting: false } as const;
const dropped = { undone: false, lasting: false } as const;
const untrusted = { undone: true, lasting: true } as const;

const CHECK_URL = 'is service.baseUrl right?';
const TOO_FEW_FILES = 'too many files are open here: raise the limit of open files (ulimit -n)';
const TRUST =
  'give the certificate of its authority with service.tls.caFile (or NODE_EXTRA_CA_CERTS, where caFile is not set)';

const OWN = 'give one with service.tls.certFile and service.tls.keyFile';

const WORDINGS: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { ...unsent, sentence: `refuses connections: is it running, ${CHECK_URL}` },
  ENOTFOUND: { ...unsent, sentence: `has an unknown host name: ${CHECK_URL}` },
  EAI_AGAIN: { ...unsent, sentence: 'has a host name that cannot be looked up now: is DNS working?' },
  EHOSTUNREACH: { ...unsent, sentence: `cannot be reached from here: is the network up, ${CHECK_URL}` },
  ENETUNREACH: { ...unsent, sentence: `cannot be reached from here: is the network up, ${CHECK_URL}` },
  UND_ERR_CONNECT_TIMEOUT: {
    ...unsent,
    sentence: `does not take connections: is a firewall between, ${CHECK_URL}`,
  },
  ECONNRESET: { ...dropped, sentence: 'dropped the connection before it answered' },
  EPIPE: { ...dropped, sentence: 'dropped the connection before it answered' },
  UND_ERR_SOCKET: { ...dropped, sentence: 'dropped the connection before its answer was complete' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { ...dropped, sentence: 'sent an answer that is cut off' },
  ANSWER_TOO_LONG: {
    undone: false,
    lasting: true,
    isTooMuch: true,
    sentence:
      'sent an answer of more than 64 MB: ask for less at once with service.limits.pageSize, or namesPerQuery for employees',
  },
  EMFILE: { ...unsent, sentence: `cannot be asked: ${TOO_FEW_FILES}` },
  ENFILE: { ...unsent, sentence: `cannot be asked: ${TOO_FEW_FILES}` },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    ...untrusted,
    sentence: 'speaks no TLS there: use http:// or another port',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    ...untrusted,
    sentence: 'speaks no TLS there: use http:// or another port',
  },
  CERT_HAS_EXPIRED: { ...untrusted, sentence: 'has a certificate that has expired: it needs a new one' },
  CERT_NOT_YET_VALID: {
    ...untrusted,
    sentence: 'has a certificate that is not valid yet: is the clock here right?',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    sentence:
      'has a certificate for another name: use a name that it carries in service.baseUrl, or give that name with service.tls.serverName',
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: { ...untrusted, sentence: `wants a client certificate: ${OWN}` },
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    ...untrusted,
    sentence: `ends the TLS handshake: it may want a client certificate: ${OWN}`,
  },
  EPROTO: { ...untrusted, sentence: 'and rollcall find no common TLS: use http:// or another port' },
};

/** The other side says what it holds against our certificate (RFC 8446, section 6.2). */
const REFUSED_CERTIFICATE = /_ALERT_.*(?:CERTIFICATE|UNKNOWN_CA|DECRYPT_ERROR|ACCESS_DENIED)/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|_ISSUER|ALTNAME/;

/**
 * Classifies an error that Node or undici threw. Does not use its message, which may carry the URL with the
 * token.
 */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const wording = WORDINGS[code];
  if (wording !== undefined) return wording;
  if (REFUSED_CERTIFICATE.test(code)) {
    const sentence = 'does not accept the client certificate: is service.tls.certFile the right one?';
    return { ...untrusted, sentence };
  }
  if (CERTIFICATE.test(code)) {
    return { ...untrusted, sentence: `has a certificate not trusted here: ${TRUST}` };
  }
  return { ...dropped, sentence: 'could not be asked' };
}

/**
 * Returns the failure of a call that got no complete answer in its time: so many seconds in all, or if a
 * file moves so many seconds without a byte.
 */
export function timeOut(seconds: number, movesFile: boolean): Failure {
  const limit = `${seconds} s (service.limits.timeoutSeconds)`;
  const sentence = movesFile ? `let no byte through for ${limit}` : `did not answer within ${limit}`;
  return { ...dropped, sentence };
}

/** Returns the code of an error. The addresses of one host fail together: the first one tells. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
}

/** The proxy opened no tunnel, so the request was not sent. */
export class ProxyTrouble extends Error {
  /** Where the proxy is configured. */
  readonly place: string;
  /** HTTP status of its answer to CONNECT; `null`: there was none, and `cause` says why. */
  readonly status: number | null;

  constructor(place: string, status: number | null, cause?: unknown) {
    super('no tunnel', { cause });
    this.place = place;
    this.status = status;
  }
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be looked up now',
  UND_ERR_CONNECT_TIMEOUT: 'does not take connections',
  UND_ERR_HEADERS_TIMEOUT: 'does not answer',
  ECONNRESET: 'dropped the connection before it answered',
  UND_ERR_SOCKET: 'dropped the connection before it answered',
  ERR_SSL_WRONG_VERSION_NUMBER: 'speaks no TLS: begin its URL with http://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

/** Returns the failure of a call for which the proxy opened no tunnel: nothing was sent to the service. */
export function proxyFailure({ place, status, cause }: ProxyTrouble): Failure {
  if (status !== null) return refused(place, status);
  const { lasting, sentence } = failureOf(cause);
  const isTls = /certificate/u.test(sentence);
  const words =
    UNREACHABLE[codeOf(cause)] ?? (isTls ? 'has a certificate not trusted here' : 'cannot be asked');
  const remedy = isTls ? 'service.tls.caFile is for its authority too' : `is ${place} right?`;
  return { undone: true, lasting, sentence: `is behind a proxy that ${words}: ${remedy}` };
}

function refused(place: string, status: number): Failure {
  const about = { undone: true, lasting: status < 500 };
  if (status === 407) {
    const sentence = `is behind a proxy that does not accept our credentials (HTTP 407): give user and password in ${place}, as http://user:password@host:port`;
    return { ...about, sentence };
  }
  const remedy =
    status >= 500
      ? 'can the proxy reach the host of service.baseUrl?'
      : 'may we reach the host of service.baseUrl through it?';
  return { ...about, sentence: `is behind a proxy that opens no tunnel (HTTP ${status}): ${remedy}` };
}
