import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { FileError } from '../../domain/errors.ts';
import type { WireBody } from '../files/body.ts';
import { FileSink, isAttachment, MemorySink, type FileHeaders, type Saved } from '../files/file-sink.ts';
import { readEnvelope } from '../wire/decode.ts';
import { dateOf, headerOf } from '../../lib/http/http-client.ts';
import { dispatchersOf, type Dispatchers, type NetworkSettings } from './dispatchers.ts';
import type { Method } from '../../interface/operation.ts';
import { failureOf, proxyFailure, ProxyTrouble, timeOut, type Failure } from './failures.ts';

interface WireRequest {
  readonly method: Method;
  /** Path with query, and so with the token: never to be shown. */
  readonly target: string;
  readonly body: WireBody | null;
  /** File for a binary answer; `null`: the answer is JSON. */
  readonly save: string | null;
  /** Whether the request may be sent again, even if its result is unknown. */
  readonly repeatable: boolean;
}

export interface WireAnswer {
  readonly http: number;
  /** Body as text; empty if it was saved. */
  readonly body: string;
  /** File that the body was saved to, if that was asked for and it is one. */
  readonly saved?: Saved;
  /** `Location` header: where a redirect leads. */
  readonly location?: string | null;
  readonly retryAfter: string | null;
  /** `Date` header in ms; `null` if there is none. */
  readonly date: number | null;
}

type Headers = Dispatcher.StreamFactoryData['headers'];

/**
 * Largest answer in MB, if it is not saved to a file. A page of a thousand records is a hundredth of it;
 * its text and parsed values take several times as much memory.
 */
const MOST_MB = 64;

/** HTTP to one origin: one request, one complete answer, within one deadline. */
export class Transport {
  readonly origin: string;
  readonly #prefix: string;
  readonly #seconds: number;
  readonly #dispatchers: Dispatchers;

  /** Throws a ConfigError about a file of `service.tls` or a proxy of the environment. */
  constructor(settings: NetworkSettings) {
    const url = new URL(settings.baseUrl);
    this.origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#seconds = settings.limits.timeoutSeconds;
    this.#dispatchers = dispatchersOf(settings);
  }

  /** Returns the bytes of the URL of a request to this target. */
  urlBytes(target: string): number {
    return Buffer.byteLength(this.origin + this.#prefix + target);
  }

  /**
   * Sends a request; returns the complete answer, or why there is none. The signal cuts off what may be
   * repeated; anything else in flight runs to its end, so that its outcome is known. The deadline is for all
   * of it; if a file moves, it begins anew with each piece. Throws a FileError about the file.
   */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer | Failure> {
    const movesFile = request.save !== null || (request.body !== null && request.body.file !== null);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#seconds * 1000);
    const stop = (): void => deadline.abort();
    if (request.repeatable) signal.addEventListener('abort', stop, { once: true });
    const onMove = movesFile ? (): unknown => timer.refresh() : (): void => undefined;
    try {
      return await this.#exchange(request, onMove, deadline.signal);
    } catch (error) {
      if (error instanceof FileError) throw error;
      if (deadline.signal.aborted) return timeOut(this.#seconds);
      return error instanceof ProxyTrouble ? proxyFailure(error) : failureOf(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#dispatchers.pooled.destroy(), this.#dispatchers.single.destroy()]);
  }

  async #exchange(request: WireRequest, onMove: () => unknown, signal: AbortSignal): Promise<WireAnswer> {
    const { method, target, body, repeatable, save } = request;
    const dispatcher = repeatable && body === null ? this.#dispatchers.pooled : this.#dispatchers.single;
    const answers: HttpAnswer[] = [];
    await dispatcher.stream(
      {
        origin: this.origin,
        path: this.#prefix + target,
        method,
        headers: headersOf(body, save),
        body: body === null ? null : undiciBody(body, onMove),
        signal,
      },
      ({ statusCode: http, headers }) => {
        const sink = isFile(save, http, headers)
          ? new FileSink(save, fileHeaders(headers), onMove)
          : new MemorySink(MOST_MB * 1_048_576, onMove);
        answers.push({ http, headers, sink });
        return sink;
      },
    );
    return wireAnswer(answers, save);
  }
}

interface HttpAnswer {
  readonly http: number;
  readonly headers: Headers;
  readonly sink: MemorySink | FileSink;
}

async function wireAnswer([answer]: readonly HttpAnswer[], save: string | null): Promise<WireAnswer> {
  // undici ends without error only after an answer.
  if (answer === undefined) throw new Error('no answer');
  const { http, headers, sink } = answer;
  const common = {
    http,
    location: headerOf({ headers }, 'location'),
    retryAfter: headerOf({ headers }, 'retry-after'),
    date: dateOf({ headers }),
  };
  if (sink instanceof FileSink) return { ...common, body: '', saved: sink.saved };
  const body = sink.body.toString('utf8');
  if (save === null || !isDocument(answer, body)) return { ...common, body };
  const file = new FileSink(save, fileHeaders(headers), () => undefined);
  await finished(file.end(sink.body));
  return { ...common, body: '', saved: file.saved };
}

/** Returns whether JSON is an uploaded file: an attachment, and no envelope. */
function isDocument({ http, headers }: HttpAnswer, body: string): boolean {
  const attached = http === 200 && isAttachment(headerOf({ headers }, 'content-disposition'));
  return attached && typeof readEnvelope(body) === 'string';
}

/**
 * Returns whether an answer is the file that was asked for. JSON may be an envelope with a refusal, and is
 * looked at first; HTML is the page of something in between, unless it is an attachment (interface, Media).
 */
function isFile(save: string | null, http: number, headers: Headers): save is string {
  if (save === null || http !== 200) return false;
  const type = headerOf({ headers }, 'content-type') ?? '';
  if (/^\s*application\/(?:[\w.-]+\+)?json\b/iu.test(type)) return false;
  return !/^\s*text\/html\b/iu.test(type) || isAttachment(headerOf({ headers }, 'content-disposition'));
}

function fileHeaders(headers: Headers): FileHeaders {
  const length = headerOf({ headers }, 'content-length');
  return {
    contentType: headerOf({ headers }, 'content-type'),
    disposition: headerOf({ headers }, 'content-disposition'),
    contentLength: length === null ? null : Number(length),
  };
}

function headersOf(body: WireBody | null, save: string | null): Readonly<Record<string, string>> {
  return {
    accept: save === null ? 'application/json' : '*/*',
    ...(body !== null && { 'content-type': body.contentType, 'content-length': String(body.length) }),
  };
}

/** Returns the body as undici takes it; it reads a file no faster than the connection takes its bytes. */
function undiciBody(body: WireBody, onMove: () => unknown): Uint8Array | Readable {
  const started = body.start();
  if (started instanceof Uint8Array) return started;
  return Readable.from(watched(started, onMove), { objectMode: false });
}

async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  onMove: () => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onMove();
    yield piece;
  }
}
