import { codeOf, networkFailure, type NetworkFailure } from '../../lib/http/network-failure.ts';

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

const WORDINGS: Readonly<Record<NetworkFailure, Failure>> = {
  refused: { ...unsent, sentence: `refuses connections: is it running, ${CHECK_URL}` },
  unknownHost: { ...unsent, sentence: `has an unknown host name: ${CHECK_URL}` },
  noNameServer: { ...unsent, sentence: 'has a host name that cannot be looked up now: is DNS working?' },
  noWay: { ...unsent, sentence: `cannot be reached from here: is the network up, ${CHECK_URL}` },
  silent: { ...unsent, sentence: `does not answer: is a firewall between, ${CHECK_URL}` },
  dropped: { ...dropped, sentence: 'dropped the connection before its answer was complete' },
  cut: { ...dropped, sentence: 'sent an answer that is cut off' },
  tooManyFiles: { ...unsent, sentence: `cannot be asked: ${TOO_FEW_FILES}` },
  noTls: { ...untrusted, sentence: 'speaks no TLS there: use http:// or another port' },
  noCommonTls: { ...untrusted, sentence: 'and rollcall find no common TLS: use http:// or another port' },
  expired: { ...untrusted, sentence: 'has a certificate that has expired: it needs a new one' },
  notYetValid: {
    ...untrusted,
    sentence: 'has a certificate that is not valid yet: is the clock here right?',
  },
  otherName: {
    ...untrusted,
    sentence: 'has a certificate for another name: use a name that it carries in service.baseUrl',
  },
  untrusted: { ...untrusted, sentence: `has a certificate not trusted here: ${TRUST}` },
  wantsCertificate: { ...untrusted, sentence: `wants a client certificate: ${OWN}` },
  endsHandshake: {
    ...untrusted,
    sentence: `ends the TLS handshake: it may want a client certificate: ${OWN}`,
  },
  refusesCertificate: {
    ...untrusted,
    sentence: 'does not accept the client certificate: is service.tls.certFile the right one?',
  },
};

const TOO_LONG: Failure = {
  undone: false,
  lasting: true,
  isTooMuch: true,
  sentence: 'sent an answer of more than 64 MB: is a service of this kind behind service.baseUrl?',
};

/**
 * Classifies an error that Node or undici threw. Does not use its message, which may carry the URL with the
 * token.
 */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error) ?? '';
  if (code === 'ANSWER_TOO_LONG') return TOO_LONG;
  const failure = networkFailure(code);
  return failure === null ? { ...dropped, sentence: 'could not be asked' } : WORDINGS[failure];
}

/**
 * Returns the failure of a call that got no complete answer in its time: so many seconds in all, or if a
 * file moves so many seconds without a byte.
 */
export function timeOut(seconds: number, movesFile: boolean): Failure {
  const limit = `${seconds} s`;
  const sentence = movesFile ? `let no byte through for ${limit}` : `did not answer within ${limit}`;
  return { ...dropped, sentence };
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

/** Returns the failure of a call for which the proxy opened no tunnel: nothing was sent to the service. */
export function proxyFailure({ place, status, cause }: ProxyTrouble): Failure {
  if (status !== null) return refused(place, status);
  const { lasting, sentence } = failureOf(cause);
  const [words] = sentence.split(':');
  const isTrust = /not trusted/u.test(sentence);
  const remedy = isTrust ? 'service.tls.caFile is for its authority too' : `is ${place} right?`;
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
