import { codeOf, failureOf, type Failure } from './failures.ts';

/** The proxy opened no tunnel: whatever was to be sent through it never left. */
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
  ENOTFOUND: 'has a host name that nobody knows',
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
  const code = codeOf(cause);
  const { lasting, sentence } = failureOf(cause);
  const isTls = /certificate/u.test(sentence);
  const words = UNREACHABLE[code] ?? (isTls ? 'has a certificate not trusted here' : 'cannot be asked');
  const remedy = isTls ? 'service.tls.caFile is for its authority too' : `is ${place} right?`;
  return { code, undone: true, lasting, sentence: `is behind a proxy that ${words}: ${remedy}` };
}

function refused(place: string, status: number): Failure {
  const code = `PROXY_${status}`;
  const about = { code, undone: true, lasting: status < 500 };
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
