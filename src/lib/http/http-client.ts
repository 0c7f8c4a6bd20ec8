import { isUtf8 } from 'node:buffer';
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { backOffMs, retryAfterMs } from '../pace.ts';
import type { TlsPems } from './tls-files.ts';

const TRIES = 5;
const MOST_MB = 64;
const LONGEST_CONNECT_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
const BACK_OFF = { firstMs: 1_000, longestMs: 30_000 };
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Why there is no answer. `pause`: the server wants a longer one than anybody waits for. */
export interface HttpFailure {
  readonly failure: 'late' | Unusable['failure'] | 'pause' | 'broken';
  /** Seconds that were waited for, or that the server wants. */
  readonly seconds: number;
  readonly cause: unknown;
}

export type HttpRequest = Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & { readonly method?: 'POST' };

interface HttpOptions {
  /** Addresses that are asked. */
  readonly addresses: readonly string[];
  readonly tls: { readonly rejectUnauthorized?: boolean } & TlsPems;
  /** Most seconds for a whole answer. */
  readonly seconds: number;
  /** How often a request is sent at most; 5 without. */
  readonly tries?: number;
  /** Most requests in a second; absent: as fast as answers come. */
  readonly perSecond?: number | undefined;
  /** Header that tells when a server takes requests again, besides Retry-After. */
  readonly reset?: ResetHeader | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A header in lower case: a time in seconds since 1970, or the seconds from now. */
export interface ResetHeader {
  readonly header: string;
  readonly as: 'epoch' | 'seconds';
}

/** A body that asking again makes no better. */
class Unusable extends Error {
  readonly failure: 'tooLong' | 'otherBytes';

  constructor(failure: Unusable['failure']) {
    super(failure);
    this.failure = failure;
  }
}

/** Returns whether the server may answer otherwise in a moment. */
export const isPassingStatus = ({ status }: HttpAnswer): boolean => PASSING.has(status);

/**
 * Asks servers over HTTP, through the proxy of the environment (HTTPS_PROXY, NO_PROXY) if one is set, and follows no
 * redirect. An answer is whole, or there is none.
 */
export class HttpClient {
  readonly #options: HttpOptions;
  readonly #dispatcher: Dispatcher;
  #nextAt = 0;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { addresses, tls, seconds } = options;
    // What could not be connected in half of the time was surely not sent.
    const connectTimeout = Math.min(LONGEST_CONNECT_MS, seconds * 500);
    const connections = { connections: 1, headersTimeout: 0, bodyTimeout: 0, connectTimeout };
    this.#dispatcher = addresses.some((address) => address.startsWith('https:'))
      ? new EnvHttpProxyAgent({ ...connections, connect: tls, requestTls: tls })
      : new Agent(connections);
  }

  /**
   * Sends a request until its answer is no passing one. Throws once the signal is aborted.
   * @param passes returns whether an answer may be another one in a moment
   */
  async ask(url: string, request: HttpRequest, passes = isPassingStatus): Promise<HttpAnswer | HttpFailure> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#turn();
      const answer = await this.#send(url, request);
      const isPassing = isAnswer(answer) ? passes(answer) : !(answer.cause instanceof Unusable);
      if (!isPassing || attempt >= (this.#options.tries ?? TRIES)) return answer;
      const wanted = isAnswer(answer) ? this.#wantedMs(answer) : null;
      if (wanted !== null && wanted > LONGEST_PAUSE_MS)
        return { failure: 'pause', seconds: Math.ceil(wanted / 1000), cause: undefined };
      const { clock, signal } = this.#options;
      await clock.sleep(wanted ?? backOffMs(attempt, BACK_OFF, Math.random()), signal);
    }
  }

  /** Waits until the next request may begin. */
  async #turn(): Promise<void> {
    const { clock, signal, perSecond } = this.#options;
    if (perSecond === undefined) return;
    const apart = 1_000 / perSecond;
    // A clock that is set back delays nothing.
    const wait = Math.min(Math.max(0, this.#nextAt - clock.now()), apart);
    this.#nextAt = clock.now() + wait + apart;
    if (wait > 0) await clock.sleep(wait, signal);
  }

  #wantedMs(answer: HttpAnswer): number | null {
    const { clock, reset } = this.#options;
    const now = dateOf(answer) ?? clock.now();
    const wanted = retryAfterMs(headerOf(answer, 'retry-after'), now);
    const told = reset === undefined ? null : headerOf(answer, reset.header);
    if (wanted !== null || reset === undefined || !/^\d+$/u.test(told ?? '')) return wanted;
    return Math.max(0, Number(told) * 1_000 - (reset.as === 'epoch' ? now : 0));
  }

  async #send(url: string, request: HttpRequest): Promise<HttpAnswer | HttpFailure> {
    const { signal, seconds } = this.#options;
    const late = AbortSignal.timeout(seconds * 1000);
    const { origin, pathname, search } = new URL(url);
    try {
      const { statusCode, headers, body } = await this.#dispatcher.request({
        origin,
        path: pathname + search,
        method: 'GET',
        ...request,
        signal: AbortSignal.any([signal, late]),
      });
      return { status: statusCode, headers, body: await textOf(body, statusCode < 300) };
    } catch (cause) {
      if (signal.aborted) throw cause;
      const failure = late.aborted ? 'late' : cause instanceof Unusable ? cause.failure : 'broken';
      return { failure, seconds, cause };
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** Returns the text of a body; one whose words count has to be in UTF-8, or names would be sent with marks in them. */
async function textOf(body: AsyncIterable<Buffer>, counts: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_MB * 1_048_576) throw new Unusable('tooLong');
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  if (counts && !isUtf8(whole)) throw new Unusable('otherBytes');
  return whole.toString('utf8');
}

export function isAnswer(answer: HttpAnswer | HttpFailure): answer is HttpAnswer {
  return 'status' in answer;
}

/** Returns the first header of a name in lower case. */
export function headerOf({ headers }: { readonly headers: Headers }, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

/** Returns the time of the server's clock (`Date`), ms; `null`: it does not tell it. */
export function dateOf(answer: { readonly headers: Headers }): number | null {
  const date = Date.parse(headerOf(answer, 'date') ?? '');
  return Number.isNaN(date) ? null : date;
}
