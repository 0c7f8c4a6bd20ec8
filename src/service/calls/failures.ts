import { fillIn } from '../../domain/problems.ts';
import { codeOf, networkFailure, type NetworkFailure } from '../../lib/http/network-failure.ts';
import { FAILURES } from '../wire/problems.ts';

/** Why no answer came. */
export interface Failure {
  readonly problem: keyof typeof FAILURES;
  /** Whether nothing was done: the call never left, or HTTP says that it was not taken. */
  readonly undone: boolean;
  /** Whether trying again is of no use. */
  readonly lasting: boolean;
  /** Whether the answer was too long to be read: a smaller question may bring one. */
  readonly isTooMuch?: true;
  /** What happened and what to do; follows the words "the service". */
  readonly sentence: string;
}

type Values = Readonly<Record<string, string | number>>;

/** Returns a failure; unless something else is said, whether it was done is unknown, and another try may help. */
export function failureWith(
  problem: Failure['problem'],
  values: Values,
  traits: Partial<Omit<Failure, 'problem' | 'sentence'>> = {},
): Failure {
  return { problem, undone: false, lasting: false, ...traits, sentence: fillIn(FAILURES[problem], values) };
}

const unreachable = (reason: string): Failure =>
  failureWith('service-unreachable', { reason }, { undone: true });
const cutOff = (reason: string): Failure => failureWith('service-cut-off', { reason });
const untrusted = (problem: Failure['problem']): Failure =>
  failureWith(problem, {}, { undone: true, lasting: true });

const BY_NETWORK: Readonly<Record<NetworkFailure, Failure>> = {
  refused: unreachable('it refuses connections'),
  unknownHost: unreachable('its host name is unknown'),
  noNameServer: unreachable('its host name cannot be looked up now'),
  noWay: unreachable('there is no way to its host'),
  silent: unreachable('it does not answer'),
  dropped: cutOff('it dropped the connection'),
  cut: cutOff('its answer is cut off'),
  tooManyFiles: failureWith('service-too-many-files', {}, { undone: true }),
  noTls: untrusted('service-no-tls'),
  noCommonTls: untrusted('service-no-tls'),
  expired: untrusted('service-certificate-time'),
  notYetValid: untrusted('service-certificate-time'),
  otherName: untrusted('service-certificate-name'),
  untrusted: untrusted('service-certificate-untrusted'),
  wantsCertificate: untrusted('service-wants-certificate'),
  endsHandshake: untrusted('service-wants-certificate'),
  refusesCertificate: untrusted('service-refuses-certificate'),
};

/**
 * Classifies an error that Node or undici threw. Does not use its message, which may carry the URL with the
 * token.
 */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error) ?? '';
  if (code === 'ANSWER_TOO_LONG')
    return failureWith('service-answer-too-long', {}, { lasting: true, isTooMuch: true });
  const failure = networkFailure(code);
  return failure === null ? cutOff('it could not be asked') : BY_NETWORK[failure];
}

/** Returns the failure of a call that got no complete answer in its time, or no byte of its file for so long. */
export const timeOut = (seconds: number): Failure => cutOff(`nothing came for ${seconds} s`);

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
  if (status === 407)
    return failureWith('service-proxy-credentials', { place }, { undone: true, lasting: true });
  if (status !== null) {
    const reason = `opens no tunnel (HTTP ${status})`;
    return failureWith('service-proxy', { reason, place }, { undone: true, lasting: status < 500 });
  }
  const { problem, lasting, sentence } = failureOf(cause);
  if (problem === 'service-certificate-untrusted')
    return failureWith('service-proxy-untrusted', {}, { undone: true, lasting });
  const [reason = ''] = sentence.split(':');
  return failureWith('service-proxy', { reason, place }, { undone: true, lasting });
}
