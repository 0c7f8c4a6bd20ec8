import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { backOffMs, retryAfterMs } from '../pace.ts';

const TRIES = 5;
const MOST_MB = 64;
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
  readonly failure: 'late' | 'tooLong' | 'pause' | 'broken';
  /** Seconds that were waited for, or that the server wants. */
  readonly seconds: number;
  readonly cause: unknown;
}

export type HttpRequest = Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & { readonly method?: 'POST' };

interface HttpOptions {
  /** Addresses that are asked. */
  readonly addresses: readonly string[];
  readonly tls: { readonly rejectUnauthorized?: boolean; readonly ca?: string };
  /** Most seconds for a whole answer. */
  readonly seconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

class TooLong extends Error {}

/**
 * Asks servers over HTTP, through the proxy of the environment (HTTPS_PROXY, NO_PROXY) if one is set, and follows no
 * redirect. An answer is whole, or there is none.
 */
export class HttpClient {
  readonly #options: HttpOptions;
  readonly #dispatcher: Dispatcher;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { addresses, tls } = options;
    const connections = { connections: 1, headersTimeout: 0, bodyTimeout: 0 };
    this.#dispatcher = addresses.some((address) => address.startsWith('https:'))
      ? new EnvHttpProxyAgent({ ...connections, connect: tls, requestTls: tls })
      : new Agent(connections);
  }

  /** Sends a request until its answer is no passing one. Throws once the signal is aborted. */
  async ask(url: string, request: HttpRequest): Promise<HttpAnswer | HttpFailure> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(url, request);
      const isPassing = isAnswer(answer) ? PASSING.has(answer.status) : answer.failure !== 'tooLong';
      if (!isPassing || attempt >= TRIES) return answer;
      const wanted = isAnswer(answer) ? this.#wantedMs(answer) : null;
      if (wanted !== null && wanted > LONGEST_PAUSE_MS)
        return { failure: 'pause', seconds: Math.ceil(wanted / 1000), cause: undefined };
      const { clock, signal } = this.#options;
      await clock.sleep(wanted ?? backOffMs(attempt, BACK_OFF, Math.random()), signal);
    }
  }

  #wantedMs(answer: HttpAnswer): number | null {
    return retryAfterMs(headerOf(answer, 'retry-after'), dateOf(answer) ?? this.#options.clock.now());
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
      return { status: statusCode, headers, body: await textOf(body) };
    } catch (cause) {
      if (signal.aborted) throw cause;
      const failure = late.aborted ? 'late' : cause instanceof TooLong ? 'tooLong' : 'broken';
      return { failure, seconds, cause };
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_MB * 1_048_576) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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
