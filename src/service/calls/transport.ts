import { Agent, type Dispatcher } from 'undici';
import type { ServiceSettings } from '../../domain/settings.ts';
import { failureOf, timeOut, type Failure } from './failures.ts';
import type { Method } from '../../interface/terms/operation.ts';

export interface WireRequest {
  readonly method: Method;
  /** Path with query, and so with the token: never to be shown. */
  readonly target: string;
  /** Body as JSON. */
  readonly body: string | null;
}

export interface WireAnswer {
  readonly http: number;
  readonly body: string;
  readonly retryAfter: string | null;
  /** `Date` header in ms; `null` where there is none. */
  readonly date: number | null;
}

/**
 * Milliseconds that an idle connection is kept, shorter than on any server: one that the server is about to
 * close must not be used again.
 */
const IDLE_MS = 1000;
const CONNECT_SECONDS = 10;
/**
 * Largest answer in MB. A page of a thousand records is a hundredth of it; its text and parsed values take
 * several times as much memory.
 */
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
    // Each change has its own connection: on a kept one it would get lost if the server closes that at this
    // moment.
    this.#changes = new Agent({ ...common, pipelining: 0 });
  }

  /** Returns the bytes of the URL of a request to this target. */
  urlBytes(target: string): number {
    return Buffer.byteLength(this.origin + this.#prefix + target);
  }

  /**
   * Sends a request; returns the complete answer, or why there is none. The signal cuts reads off; a change
   * in flight runs to its end, so that its outcome is known.
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
