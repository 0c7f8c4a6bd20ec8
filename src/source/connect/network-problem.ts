import { StoppedError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Clock } from '../../lib/clock.ts';

const NETWORK: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'no server listens there; check host and port in source.url, and whether the server runs'],
  ['ENOTFOUND', 'the host name is unknown; check source.url and the name server'],
  ['EAI_AGAIN', 'the name server does not answer; check the network'],
  ['ETIMEOUT', 'it does not answer in time; check host, port and firewall'],
  ['ETIMEDOUT', 'it does not answer in time; check host, port and firewall'],
  ['EHOSTUNREACH', 'there is no way to the host; check the network'],
  ['ENETUNREACH', 'there is no way to the host; check the network'],
  ['ECONNRESET', 'the connection broke; look at the server’s log'],
  ['ECONNCLOSED', 'the connection broke; look at the server’s log'],
  ['EPIPE', 'the connection broke; look at the server’s log'],
  ['EMFILE', 'too many files are open here; raise the limit of open files (ulimit -n)'],
  ['ENFILE', 'too many files are open on this machine; raise its limit'],
  ['CERT_HAS_EXPIRED', 'the server’s certificate has expired; renew it'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'the server’s certificate is for another name; use a name it holds in source.url',
  ],
  ['OTHER_PROTOCOL', 'what listens there is no such database; check scheme, host and port of source.url'],
  ['NO_TLS', 'the server does not speak TLS, which source.tls or the URL asks for; switch it on there'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'the server does not speak TLS on this port; check scheme and port of source.url',
  ],
]);

/** OpenSSL's words for a certificate that leads to no trusted authority. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
]);

/** Returns what prevents or breaks a connection, with the remedy; `null`: it is not the network. */
export function networkProblem(error: unknown): string | null {
  const code = codeFromWords(error) ?? codeOf(error);
  if (code === null) return null;
  if (UNTRUSTED.has(code)) {
    return `the server’s certificate is not trusted (${code}); set source.tls.caFile (for init: --ca-file) to its authority’s certificate`;
  }
  const known = NETWORK.get(code);
  return known === undefined ? null : `${known} (${[code, ...certificateNames(error)].join('; ')})`;
}

/** Returns the names in a certificate that is for another one, as Node tells them in its message. */
function certificateNames(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const [, names] = /cert's (?:altnames|CN): (.*)/u.exec(error.message) ?? [];
  return names === undefined ? certificateNames(error.cause) : [`it holds ${printable(names)}`];
}

/** Returns the code for OpenSSL's words: mysql2 keeps the words and replaces the code with its own. */
function codeFromWords(error: unknown): string | null {
  const words = error instanceof Error ? error.message : '';
  if (/self[- ]signed certificate|unable to (?:verify|get).*certificate/i.test(words))
    return 'CERT_UNTRUSTED';
  if (/does not match certificate's altnames/i.test(words)) return 'ERR_TLS_CERT_ALTNAME_INVALID';
  if (/server does not support (?:ssl|secure) connection/i.test(words)) return 'NO_TLS';
  if (/^received invalid response/i.test(words)) return 'OTHER_PROTOCOL';
  if (/^timeout expired$/i.test(words)) return 'ETIMEDOUT';
  const code = /\b(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET)\b/u.exec(words);
  if (code !== null) return code[0];
  return /certificate has expired/i.test(words) ? 'CERT_HAS_EXPIRED' : null;
}

/**
 * Returns the code of an error. Node puts one error for each tried address into an AggregateError; drivers
 * put the network's error into `cause`.
 */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
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
