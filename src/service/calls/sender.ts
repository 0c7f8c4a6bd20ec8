import type { ServiceSettings } from '../../domain/settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { Pace, retryAfterMs } from '../../lib/pace.ts';
import type { WireBody } from '../files/body.ts';
import type { FileToSend } from '../files/file-to-send.ts';
import { encodeQuery, isChanging, isRepeatable, type AnyCall } from './call.ts';
import type { Failure } from './failures.ts';
import { openTurns } from '../pace/open-turns.ts';
import { Token } from './token.ts';
import { Transport, type WireAnswer } from './transport.ts';
import { isThrottling, verdictOf, type Verdict } from './verdict.ts';
import { serviceConfigProblem } from '../wire/problems.ts';

export type ConnectionSettings = Pick<
  ServiceSettings,
  'baseUrl' | 'token' | 'appToken' | 'limits' | 'tls' | 'proxy'
>;

/** One attempt that was sent. */
export interface Sent {
  readonly verdict: Verdict;
  /** Token with which it was sent. */
  readonly token: string;
  /** Read that brought this token. */
  readonly reading: Promise<string>;
  /** File that was sent with it. */
  readonly file: FileToSend | null;
  readonly ms: number;
}

/** How far a call has come. */
export interface Progress {
  isUnderWay: boolean;
}

export interface SenderDeps {
  readonly clock: Clock;
  /** Called with each token that is read, so that the log can hide it. */
  readonly onToken?: ((token: string) => void) | undefined;
  /** How long a shared pace that does not answer is asked again, ms; 30 s without. */
  readonly patienceMs?: number | undefined;
}

/**
 * Sends a call once: with the token, in its turn, within its deadline. Keeps the pace, and the time of the
 * service's clock.
 */
export class Sender {
  readonly origin: string;
  /** Called when the call has its turn, after all waiting; it throws to keep the call from being sent. */
  mayChange: () => void = () => undefined;
  readonly #token: Token;
  readonly #appToken: Token | null;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #clock: Clock;
  #offset = 0;
  #requests = 0;

  constructor(settings: ConnectionSettings, { clock, onToken, patienceMs }: SenderDeps) {
    const { token, appToken } = settings;
    this.#token = new Token(token, onToken);
    this.#appToken = appToken === undefined ? null : new Token(appToken, onToken, 'service.appToken');
    this.#transport = new Transport(settings);
    this.#pace = new Pace(settings.limits, clock, openTurns(settings, clock, patienceMs));
    this.#clock = clock;
    this.origin = this.#transport.origin;
  }

  /** Number of HTTP requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Returns the share of the configured pace that is in use. */
  paceShare(): number {
    return this.#pace.share();
  }

  /**
   * Returns the time on the service's clock, ms. A `Date` header has whole seconds, so this is up to one
   * second early.
   */
  now(): number {
    return this.#clock.now() + this.#offset;
  }

  /** Returns the token that a call needs. Throws a ConfigError if the configuration has none. */
  tokenOf({ method, path, identity }: AnyCall): Token {
    if (identity !== 'application') return this.#token;
    if (this.#appToken !== null) return this.#appToken;
    throw serviceConfigProblem('service-no-app-token', { call: `${method} ${path}` });
  }

  /**
   * Sends a call once. Rejects with the signal's reason, with PauseTooLong, with a ServiceError about the
   * token, or with a FileError about its file.
   * @param progress updated once the request is on its way
   */
  async send(
    call: AnyCall,
    body: WireBody | null,
    { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
  ): Promise<Sent> {
    const reading = this.tokenOf(call).get();
    const token = await reading;
    const repeatable = isRepeatable(call);
    const { method, save = null } = call;
    const request = { method, target: targetOf(call, token), body, save, repeatable };
    return this.#pace.run(async () => {
      if (isChanging(call) && call.needsLease !== false) this.mayChange();
      const startedAt = this.#clock.now();
      this.#requests += 1;
      progress.isUnderWay = true;
      const answer = await this.#transport.send(request, signal);
      if (repeatable) signal.throwIfAborted();
      this.#heed(answer, startedAt);
      const ms = this.#clock.now() - startedAt;
      return { verdict: verdictOf(answer), token, reading, file: body?.file ?? null, ms };
    }, signal);
  }

  async urlBytes(call: AnyCall): Promise<number> {
    return this.#transport.urlBytes(targetOf(call, await this.tokenOf(call).get()));
  }

  async close(): Promise<void> {
    await Promise.all([this.#transport.close(), this.#pace.close()]);
  }

  #heed(answer: WireAnswer | Failure, startedAt: number): void {
    if (!('http' in answer)) return;
    if (answer.date !== null) this.#offset = answer.date - this.#clock.now();
    if (!isThrottling(answer.http)) return;
    this.#pace.slowDown(startedAt);
    const pause = retryAfterMs(answer.retryAfter, answer.date ?? this.#clock.now());
    if (pause !== null) this.#pace.pause(pause);
  }
}

function targetOf({ path, query = {} }: AnyCall, token: string): string {
  return `${path}?${encodeQuery({ access_token: token, ...query })}`;
}
