import {
  AmbiguousError,
  RefusedError,
  RollcallError,
  ServiceError,
  StoppedError,
} from '../../domain/errors.ts';
import { fillIn } from '../../domain/problems.ts';
import type { ServiceStats } from '../../domain/ports/service.ts';
import { SECRET_FIELDS } from '../../domain/records/fields.ts';
import { withStop } from '../../domain/text/printable.ts';
import { hideAll, spellingsOf } from '../../domain/text/hide.ts';
import { backOffMs, PauseTooLong } from '../../lib/pace.ts';
import type { Clock } from '../../lib/clock.ts';
import { isChanging, isRepeatable, type AnyCall, type Call, type CallObserver } from './call.ts';
import { Sender, type ConnectionSettings, type Progress, type SenderDeps, type Sent } from './sender.ts';
import { isAboutSize, nextStep, UnacceptableRequestError, TOO_LARGE, type Verdict } from './verdict.ts';
import { wireBody } from '../files/body.ts';
import type { FileToSend } from '../files/file-to-send.ts';
import { checkTarget } from '../files/file-sink.ts';
import { ShapeError } from '../wire/decode.ts';
import { REFUSALS, serviceProblem, serviceStopped } from '../wire/problems.ts';

/** What the service said about a call. `settled`: it refuses for good, not because of trouble of its own. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: RefusedError; readonly http: number; readonly settled: boolean };

export interface ClientDeps extends SenderDeps {
  readonly onCall?: CallObserver | undefined;
}

type Failed = Extract<Verdict, { readonly kind: 'failed' }>;

/** HTTP says of a 429 that the request was not taken (RFC 6585); a run looks all the same. */
const TOO_MANY = 429;
const NOT_DONE = 'It was not done: try again later.';
const IN_DOUBT = 'Whether it was done is not known.';

const BACK_OFF = { firstMs: 500, longestMs: 15_000 } as const;

/**
 * The only way to the service: every call goes through {@link Client.tryCall}, which repeats what may be
 * repeated.
 */
export class Client {
  readonly #sender: Sender;
  readonly #clock: Clock;
  readonly #onCall: CallObserver;
  #retries = 0;

  constructor(settings: ConnectionSettings, deps: ClientDeps) {
    this.#sender = new Sender(settings, deps);
    this.#clock = deps.clock;
    this.#onCall = deps.onCall ?? (() => undefined);
  }

  /**
   * Makes a call and returns the decoded result. Throws RefusedError (the service said no), AmbiguousError (a
   * call that must not be repeated and whose outcome is unknown), ServiceError (service down, no token, or not
   * the interface: the run ends), FileError (a file to send or save), or what stopped it.
   */
  async call<T>(call: Call<T>, signal: AbortSignal): Promise<T> {
    const reply = await this.tryCall(call, signal);
    if (reply.ok) return reply.value;
    throw reply.refusal;
  }

  /** Does the same as {@link Client.call}, but returns a refusal instead of throwing it. */
  async tryCall<T>(call: Call<T>, signal: AbortSignal): Promise<Reply<T>> {
    const progress = { isUnderWay: false };
    try {
      return await this.#ask(call, { signal, progress });
    } catch (error) {
      const isOurs = error instanceof RollcallError;
      if (signal.aborted && error === signal.reason && (!isOurs || error instanceof StoppedError))
        throw stopped(call, progress);
      if (isOurs) throw error;
      throw translated(error, call);
    }
  }

  /** Returns the bytes of the call's URL, with the token. Throws a ServiceError about the token. */
  urlBytes(call: AnyCall): Promise<number> {
    return this.#sender.urlBytes(call);
  }

  /** See {@link Service.fence}. */
  fence(mayChange: () => void): void {
    this.#sender.mayChange = mayChange;
  }

  /** Returns the time on the service's clock, ms. */
  now(): number {
    return this.#sender.now();
  }

  stats(): ServiceStats {
    return { requests: this.#sender.requests, retries: this.#retries, pace: this.#sender.paceShare() };
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async #ask<T>(
    call: Call<T>,
    context: { readonly signal: AbortSignal; readonly progress: Progress },
  ): Promise<Reply<T>> {
    const token = this.#sender.tokenOf(call);
    if (call.save !== undefined) checkTarget(call.save);
    const body = call.body === undefined ? null : await wireBody(call.body);
    const repeatable = isRepeatable(call);
    let { renewable } = token;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#sender.send(call, body, context);
      const step = nextStep(sent.verdict, { repeatable, attempt, renewable });
      const delayMs = step === 'retry' ? backOffMs(attempt, BACK_OFF, Math.random()) : 0;
      this.#report(call, attempt, sent, step === 'retry' || step === 'renew' ? delayMs : null);
      if (step === 'answer' || step === 'giveUp') return this.#conclude(call, sent);
      this.#retries += 1;
      if (step === 'renew') token.renew(sent.reading);
      renewable &&= step !== 'renew';
      if (delayMs > 0) await this.#clock.sleep(delayMs, context.signal);
    }
  }

  #conclude<T>(call: Call<T>, sent: Sent): Reply<T> {
    const { verdict, token } = sent;
    if (verdict.kind === 'failed') return this.#giveUp(verdict, call, sent);
    if (verdict.kind === 'unauthorised') throw this.#tokenProblem(call);
    if (verdict.kind === 'result')
      return { ok: true, value: call.decode(verdict.result, cleaner(call, token)) };
    const message = fillIn(REFUSALS['service-refuses'], {
      call: callName(call),
      reason: refusalText(verdict, call, token),
    });
    const { status, http, settled } = verdict;
    const refusal = new RefusedError(message, status, {
      problem: 'service-refuses',
      named: call.refusals?.[status],
    });
    return { ok: false, refusal, http, settled };
  }

  /** Returns a refusal if HTTP says that a change was not taken; throws for everything else. */
  #giveUp<T>(verdict: Failed, call: Call<T>, { token, file }: Sent): Reply<T> {
    const { http, undone, throttled, isTooMuch, problem } = verdict;
    const size = isTooMuch === true ? TOO_LARGE : http;
    const about = withStop(
      `${callName(call)}: the service at ${this.#sender.origin} ${refusalText(verdict, call, token)}`,
    );
    const message = `${about}${http === TOO_LARGE ? sizeOf(file) : ''}`;
    const changing = isChanging(call);
    if (!changing && isAboutSize(size)) throw new UnacceptableRequestError(message, size, problem);
    if (changing && undone && http !== null) {
      const refusal = new RefusedError(message, http, { problem, unheard: http !== TOO_LARGE });
      return { ok: false, refusal, http, settled: true };
    }
    if (undone || isRepeatable(call)) throw new ServiceError(message, { problem });
    throw new AmbiguousError(`${message} ${http === TOO_MANY ? NOT_DONE : IN_DOUBT}`, { problem, throttled });
  }

  #report(call: AnyCall, attempt: number, { verdict, token, ms }: Sent, retryInMs: number | null): void {
    const outcome = verdict.kind === 'result' ? 'done' : verdict.kind === 'refused' ? 'refused' : 'failed';
    const status = verdict.kind === 'refused' ? verdict.status : null;
    const reason = verdict.kind === 'result' ? null : refusalText(verdict, call, token);
    const { call: name, path, items = 1 } = call;
    const changing = isChanging(call);
    this.#onCall({ call: name, path, changing, items, attempt, ms, outcome, status, retryInMs, reason });
  }

  #tokenProblem(call: AnyCall): ServiceError {
    const { renewable, place } = this.#sender.tokenOf(call);
    const remedy = renewable ? 'reading it again did not help' : 'a new one is needed';
    return serviceProblem('service-token-unknown', { call: callName(call), remedy, place });
  }
}

function translated(error: unknown, call: AnyCall): unknown {
  if (error instanceof ShapeError) {
    return serviceProblem('service-other-shape', { call: callName(call), reason: error.message });
  }
  if (!(error instanceof PauseTooLong)) return error;
  const minutes = Math.ceil(error.ms / 60_000);
  return serviceProblem('service-long-pause', { call: callName(call), minutes });
}

function stopped(call: AnyCall, { isUnderWay }: Progress): StoppedError {
  const name = callName(call);
  if (!isUnderWay) return serviceStopped('service-not-sent', { call: name });
  return serviceStopped('service-stopped', { call: name, doubt: isChanging(call) ? ` ${IN_DOUBT}` : '' });
}

function sizeOf(file: FileToSend | null): string {
  return file === null ? '' : ` The file ${file.path} has ${file.size} bytes.`;
}

function callName({ method, path }: AnyCall): string {
  return `${method} ${path}`;
}

function refusalText(verdict: Exclude<Verdict, { kind: 'result' }>, call: AnyCall, token: string): string {
  if (verdict.kind === 'unauthorised') return 'the access token is not known (10011)';
  if (verdict.kind === 'failed') return cleaner(call, token)(verdict.sentence);
  return `${cleaner(call, token)(verdict.message) || 'without a word'} (status ${verdict.status})`;
}

function cleaner(call: AnyCall, token: string): (words: string) => string {
  return textScrubber([token, ...(call.secrets ?? [])]);
}

const LONGEST = 500;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
const TEXT = String.raw`"(?:[^"\\]|\\.)*"?`;
/** Value of a secret's key in the JSON of a record, a text or a map of texts, also if the JSON is cut off. */
const KEYED = new RegExp(
  String.raw`("(?:${SECRET_FIELDS.join('|')})"\s*:\s*)(?:${TEXT}|\{(?:[^"}]|${TEXT})*\}?)`,
  'gu',
);
const MASK = '(secret)';

/**
 * Returns a function that makes the service's own words for an error one line, not too long, without any of
 * these secrets.
 */
export function textScrubber(secrets: readonly string[]): (words: string) => string {
  // The service puts words into few of its answers.
  let spellings: readonly (readonly RegExp[])[] | null = null;
  return (words) => {
    spellings ??= [...new Set(secrets)].map(spellingsOf);
    const clean = hideAll(words, spellings, MASK).replaceAll(KEYED, `$1"${MASK}"`);
    const line = clean.replaceAll(CONTROL, ' ').trim();
    return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  };
}

/**
 * Returns the value, or `null` for a refusal. The interface shows only two codes for "there is none", so any
 * refusal of a question for one thing counts as that; except if the service has trouble of its own.
 */
export function valueOrNone<T>(reply: Reply<T | null>): T | null {
  if (reply.ok) return reply.value;
  if (reply.settled) return null;
  throw reply.refusal;
}
