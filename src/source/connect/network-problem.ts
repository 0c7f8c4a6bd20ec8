import { StoppedError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Clock } from '../../lib/clock.ts';
import { codeOf, networkFailure, type NetworkFailure } from '../../lib/http/network-failure.ts';

const SENTENCES: Readonly<Record<NetworkFailure | 'noTlsHere' | 'otherProtocol', string>> = {
  refused: 'no server listens there; check host and port in source.url, and whether the server runs',
  unknownHost: 'the host name is unknown; check source.url and the name server',
  noNameServer: 'the name server does not answer; check the network',
  noWay: 'there is no way to the host; check the network',
  silent: 'it does not answer in time; check host, port and firewall',
  dropped: 'the connection broke; look at the server’s log',
  cut: 'its answer was cut off; look at the server’s log, and at proxies before it',
  tooManyFiles: 'too many files are open here; raise the limit of open files (ulimit -n)',
  noTls: 'the server does not speak TLS on this port; check scheme and port of source.url',
  noCommonTls: 'the server and rollcall find no common TLS; check scheme and port of source.url',
  expired: 'the server’s certificate has expired; renew it',
  notYetValid: 'the server’s certificate is not valid yet; check the clock here',
  otherName: 'the server’s certificate is for another name; use a name it holds in source.url',
  untrusted:
    'the server’s certificate is not trusted; set source.tls.caFile (for init: --ca-file) to its authority’s certificate',
  wantsCertificate: 'the server wants a client certificate; give one with source.tls.certFile and keyFile',
  endsHandshake:
    'the server ends the TLS handshake; it may want a client certificate: see source.tls.certFile',
  refusesCertificate: 'the server does not accept the client certificate; check source.tls.certFile',
  noTlsHere: 'the server does not speak TLS, which source.tls or the URL asks for; switch it on there',
  otherProtocol: 'what listens there is no such database; check scheme, host and port of source.url',
};

/** Words of drivers that keep the words of Node or OpenSSL, and replace the code with their own. */
const WORDS: readonly (readonly [RegExp, keyof typeof SENTENCES, string])[] = [
  [/self[- ]signed certificate|unable to (?:verify|get).*certificate/iu, 'untrusted', 'CERT_UNTRUSTED'],
  [/does not match certificate's altnames/iu, 'otherName', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/server does not support (?:ssl|secure) connection/iu, 'noTlsHere', 'NO_TLS'],
  [/^received invalid response/iu, 'otherProtocol', 'OTHER_PROTOCOL'],
  [/^timeout expired$/iu, 'silent', 'ETIMEDOUT'],
  [/\bECONNREFUSED\b/u, 'refused', 'ECONNREFUSED'],
  [/\bETIMEDOUT\b/u, 'silent', 'ETIMEDOUT'],
  [/\bECONNRESET\b/u, 'dropped', 'ECONNRESET'],
  [/certificate has expired/iu, 'expired', 'CERT_HAS_EXPIRED'],
];

/** Returns what prevents or breaks a connection, with the remedy; `null`: it is not the network. */
export function networkProblem(error: unknown): string | null {
  const words = error instanceof Error ? error.message : '';
  const [, told, toldCode] = WORDS.find(([pattern]) => pattern.test(words)) ?? [];
  const code = toldCode ?? codeOf(error) ?? '';
  const failure = told ?? networkFailure(code);
  if (failure === null) return null;
  return `${SENTENCES[failure]} (${[code, ...certificateNames(error)].join('; ')})`;
}

/** Returns the names in a certificate that is for another one, as Node tells them in its message. */
function certificateNames(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const [, names] = /cert's (?:altnames|CN): (.*)/u.exec(error.message) ?? [];
  return names === undefined ? certificateNames(error.cause) : [`it holds ${printable(names)}`];
}

/** Rejects with `late()` when the work takes longer; the work itself must be ended by the caller. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error that every read throws once its signal is aborted. */
export function stopped(): StoppedError {
  return new StoppedError('The read of the source was stopped.');
}

/** Sleeps so many milliseconds. Throws a `StoppedError` once the signal is aborted. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal);
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  }
}
