import { Agent, type Dispatcher } from 'undici';
import type { ServiceSettings } from '../../domain/settings.ts';
import { failureOf, timeOut, type Failure } from './failures.ts';
import type { Method } from './endpoint.ts';

export interface WireRequest {
  readonly method: Method;
  /** With query, and so with the token: never to be shown. */
  readonly target: string;
  /** JSON. */
  readonly body: string | null;
}

export interface WireAnswer {
  readonly http: number;
  readonly body: string;
  readonly retryAfter: string | null;
  /** `Date` header in ms, `null` where there is none. */
  readonly date: number | null;
}

/**
 * Shorter than any server keeps an idle connection: one that the server is about to close must not be used again.
 */
const IDLE_MS = 1000;
const CONNECT_SECONDS = 10;
/** A page of a thousand records is a hundredth of it; text and parsed values of it are several times as much. */
const MOST_MB = 64;

/** HTTP to one origin: one request, one complete answer, within one deadline. */
export class Transport {
  readonly origin: string;
  readonly #prefix: string;
  readonly #seconds: number;
  readonly #reads: Agent;
  readonly #changes: Agent;

  constructor({ baseUrl, limits }: Pick<ServiceSettings, 'baseUrl' | 'limits'>) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#seconds = limits.timeoutSeconds;
    const common = {
      connections: limits.concurrency,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MOST_MB * 1_048_576,
      connect: { timeout: Math.min(CONNECT_SECONDS, limits.timeoutSeconds) * 1000 },
    };
    this.#reads = new Agent(common);
    // A connection of their own each: no change gets lost in a kept one that the server closes at that moment.
    this.#changes = new Agent({ ...common, pipelining: 0 });
  }

  /** Bytes of the URL of a request to this target. */
  urlBytes(target: string): number {
    return Buffer.byteLength(this.origin + this.#prefix + target);
  }

  /**
   * The complete answer, or why there is none. The signal cuts reads off; a change in flight runs to its end, so that
   * what became of it is known.
   */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer | Failure> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#seconds * 1000);
    const stop = (): void => deadline.abort();
    if (request.method === 'GET') signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#exchange(request, deadline.signal);
    } catch (error) {
      return deadline.signal.aborted ? timeOut(this.#seconds) : failureOf(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#changes.destroy()]);
  }

  async #exchange({ method, target, body }: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
    const agent = method === 'GET' ? this.#reads : this.#changes;
    const response = await agent.request({
      origin: this.origin,
      path: this.#prefix + target,
      method,
      body,
      headers: {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      signal,
    });
    const { headers } = response;
    return {
      http: response.statusCode,
      body: await response.body.text(),
      retryAfter: headerOf(headers, 'retry-after'),
      date: dateOf(headerOf(headers, 'date')),
    };
  }
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

function dateOf(header: string | null): number | null {
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? null : date;
}
