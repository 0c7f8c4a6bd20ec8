import { RefusedError, ServiceError } from '../../domain/errors.ts';
import { failureWith, type Failure } from './failures.ts';
import type { WireAnswer } from './transport.ts';
import { readEnvelope, type BodyKind, type Envelope } from '../wire/decode.ts';

/** Values of `status` (interface, Errors). */
const STATUS = { ok: 0, tokenNotFound: 10011 } as const;

/** HTTP status that is about the size of a call and not about the service. */
export const TOO_LARGE = 413;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Stands for the service, in an address without host. */
const ANYWHERE_HOST = 'service.invalid';
const ANYWHERE = `http://${ANYWHERE_HOST}`;

/** What an answer means, for every operation. */
export type Verdict =
  | { readonly kind: 'result'; readonly result: unknown }
  /**
   * The service said no, so it was not done. `settled`: it refuses for good, not because of trouble of its
   * own.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly http: number;
      readonly settled: boolean;
    }
  | { readonly kind: 'unauthorised' }
  /** The service said nothing about the call itself. */
  | (Failure & {
      readonly kind: 'failed';
      /** Whether the service is well and wants fewer calls. */
      readonly throttled: boolean;
      readonly http: number | null;
    });

/**
 * | answer                                        | verdict      |
 * |-----------------------------------------------|--------------|
 * | a file that was asked for                     | result       |
 * | envelope, status 0, any HTTP status           | result       |
 * | envelope, 10011; 401 without envelope         | unauthorised |
 * | 429, 503 with any other envelope or none      | failed, throttled |
 * | 502, 504; 5xx whose status repeats the HTTP status (a framework's error page) | failed |
 * | envelope, HTTP 5xx                            | refused, not settled |
 * | envelope, any other status                    | refused      |
 * | no envelope, 404 with other JSON or nothing   | refused: an HTML page is a wrong base URL, this is not |
 * | JSON that is cut off, any HTTP status         | failed: what it was going to say is not known |
 * | no envelope, 3xx and 4xx                      | failed, lasting; 4xx: not taken; a redirect says where to |
 * | no envelope, anything else; no answer         | failed       |
 */
export function verdictOf(answer: WireAnswer | Failure): Verdict {
  if ('sentence' in answer) return { kind: 'failed', throttled: false, http: null, ...answer };
  if (answer.saved !== undefined) return { kind: 'result', result: answer.saved };
  const envelope = readEnvelope(answer.body);
  return typeof envelope === 'string'
    ? withoutEnvelope(answer, envelope)
    : withEnvelope(answer.http, envelope);
}

function withEnvelope(http: number, { status, message, result }: Envelope): Verdict {
  if (status === STATUS.ok) return { kind: 'result', result };
  if (status === STATUS.tokenNotFound) return { kind: 'unauthorised' };
  const gateway = isThrottling(http) || http === 502 || http === 504 || (http >= 500 && status === http);
  if (gateway) return failed(http, failureWith('service-in-trouble', { http, status, message }));
  return { kind: 'refused', status, message, http, settled: http < 500 };
}

/**
 * Returns the verdict on an answer without envelope. With a 4xx, HTTP says that the request was not taken
 * (413: too large; 400, 404, 405: not like this, not here); the service does not say that something does not
 * exist.
 */
function withoutEnvelope({ http, location }: WireAnswer, body: BodyKind): Verdict {
  if (http === 401) return { kind: 'unauthorised' };
  if (http === 404 && (body === 'nothing' || body === 'JSON without a status')) {
    return { kind: 'refused', status: http, message: 'not found', http, settled: true };
  }
  if (http === TOO_LARGE)
    return failed(http, failureWith('service-request-too-large', { http }, { lasting: true, undone: true }));
  if (REDIRECTS.has(http))
    return failed(
      http,
      failureWith('service-redirects', { http, to: targetOf(location ?? '') }, { lasting: true }),
    );
  return failed(http, foreignAnswer(http, body));
}

/** Returns the failure of a body that is no envelope, if HTTP says nothing more of it. */
function foreignAnswer(http: number, body: BodyKind): Failure {
  const isCutOff = body === 'JSON that is cut off or broken';
  const lasting = http >= 300 && http < 500 && !isRetriable(http) && !isCutOff;
  return failureWith('service-foreign-answer', { body, http }, { lasting, undone: lasting && http >= 400 });
}

/** Names where a redirect leads without its query, which may hold a secret. */
function targetOf(location: string): string {
  if (location === '' || !URL.canParse(location, ANYWHERE)) return 'no address';
  const { protocol, host, pathname } = new URL(location, ANYWHERE);
  return host === ANYWHERE_HOST ? pathname : `${protocol}//${host}${pathname}`;
}

function failed(http: number, failure: Failure): Extract<Verdict, { kind: 'failed' }> {
  return { kind: 'failed', throttled: isThrottling(http), http, ...failure };
}

export function isThrottling(http: number): boolean {
  return http === 429 || http === 503;
}

/** Returns whether to try again: request time-out, too early, too many requests. */
function isRetriable(http: number): boolean {
  return http === 408 || http === 425 || http === 429;
}

/**
 * `answer`: the service has answered. `renew`: read the token again, then try again. `giveUp`: no answer can
 * be had.
 */
type Step = 'answer' | 'renew' | 'retry' | 'giveUp';

interface Attempts {
  /** Whether an attempt whose outcome is not known may be sent again. */
  readonly repeatable: boolean;
  /** Number of attempts; 1 after the first. */
  readonly attempt: number;
  /** Whether the token can be read again and was not yet read again for this call. */
  readonly renewable: boolean;
}

/** Tries for each kind of trouble: a service that asks for fewer calls is alive, and worth more patience. */
const TRIES = { failed: 5, throttled: 10 } as const;

/**
 * Returns what to do after an attempt. What may be repeated, and what never left, is tried again; the outcome
 * of anything else only its caller can find out.
 */
export function nextStep(verdict: Verdict, progress: Attempts): Step {
  if (verdict.kind === 'failed') return afterFailure(verdict, progress);
  if (verdict.kind === 'unauthorised') return progress.renewable ? 'renew' : 'giveUp';
  const isTrouble = verdict.kind === 'refused' && !verdict.settled;
  return isTrouble && progress.repeatable && progress.attempt < TRIES.failed ? 'retry' : 'answer';
}

function afterFailure(
  verdict: Extract<Verdict, { kind: 'failed' }>,
  { repeatable, attempt }: Attempts,
): Step {
  if (verdict.lasting || (!repeatable && !verdict.undone)) return 'giveUp';
  return attempt < TRIES[verdict.throttled ? 'throttled' : 'failed'] ? 'retry' : 'giveUp';
}

/** HTTP says that a question was not taken as it is, or its answer is too long to be read; the service itself says nothing. */
export class UnacceptableRequestError extends ServiceError {
  readonly http: number;

  constructor(message: string, http: number, problem: Failure['problem']) {
    super(message, { problem });
    this.http = http;
  }
}

/** HTTP statuses about the size: bad request, too large, address too long, headers too large. */
const SIZE: ReadonlySet<number> = new Set([400, 413, 414, 431]);
/** HTTP statuses about the address, not about what is asked. */
const ADDRESS: ReadonlySet<number> = new Set([414, 431]);

export function isAboutSize(http: number | null): http is number {
  return http !== null && SIZE.has(http);
}

/**
 * A refusal that a smaller question may not get: the interface does not show how the service reports a limit.
 */
export type Refusal = RefusedError | UnacceptableRequestError;

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof RefusedError || error instanceof UnacceptableRequestError;
}

/**
 * Returns whether the refusal says that the address is too long, and nothing else. The status of an envelope
 * may repeat that of HTTP.
 */
export function isAddressTooLong(refusal: Refusal): boolean {
  return ADDRESS.has(refusal instanceof UnacceptableRequestError ? refusal.http : refusal.status);
}
