import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { RollcallError, SourceError } from '../../../domain/errors.ts';
import { isOauthClient, type ScimSettings } from '../../../domain/source-settings.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Clock } from '../../../lib/clock.ts';
import { backOffMs, retryAfterMs } from '../../../lib/pace.ts';
import { parseLossless } from '../../../lib/parse-lossless.ts';
import { sourceSecret } from '../../connect/source-secret.ts';
import { networkProblem, pause, stopped } from '../../connect/network-problem.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { isObject, ScimRefusedError, type Resource } from './attributes.ts';
import { tokenIn, tokenRequest } from './oauth.ts';

const TRIES = 5;
const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_PAUSE_MS = 300_000;
const BACK_OFF = { firstMs: 1_000, longestMs: 30_000 };
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

interface HttpBody {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

type HttpRequest = Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & { readonly method?: 'POST' };

interface Failed {
  readonly problem: string;
  readonly cause: unknown;
}

/** What the server answered. */
export interface ScimAnswer {
  readonly value: Resource;
  /** Time of the server's clock (`Date`), ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Asks one SCIM server for lists (RFC 7644, section 3.4.2). */
export class ScimClient {
  readonly #settings: ScimSettings;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #dispatcher: Dispatcher;
  #token: string | null = null;
  #isRenewed = false;

  constructor(settings: ScimSettings, clock: Clock, signal: AbortSignal) {
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
    const { ca, rejectUnauthorized = true } = tlsOptions(settings.tls, new URL(settings.url).hostname);
    const tls = { rejectUnauthorized, ...(ca !== undefined && { ca }) };
    const options = { connections: 1, headersTimeout: 0, bodyTimeout: 0 };
    const addresses = [settings.url, isOauthClient(settings.token) ? settings.token.tokenUrl : ''];
    this.#dispatcher = addresses.some((address) => address.startsWith('https:'))
      ? new EnvHttpProxyAgent({ ...options, connect: tls, requestTls: tls })
      : new Agent(options);
  }

  /**
   * Returns the JSON object that the server answers. Asks again if it wants a pause or is disturbed, and once with a new
   * token if it refuses the token. Throws a SourceError with its own words: a ScimRefusedError if it has answered.
   */
  async ask(resource: string, query: Readonly<Record<string, string>>): Promise<ScimAnswer> {
    const target = `${this.#settings.url}/${resource}?${new URLSearchParams(query).toString()}`;
    let answer = await this.#get(target);
    if (isStatus(answer, 401) && this.#renews()) answer = await this.#get(target);
    if (!isStatus(answer, 200)) throw this.#error(answer, resource);
    return { value: this.#parsed(answer, resource), date: dateOf(answer) };
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #get(target: string): Promise<HttpBody | Failed> {
    this.#token ??= await this.#readToken();
    const authorization = `Bearer ${this.#token}`;
    return this.#patiently(target, {
      headers: { accept: 'application/scim+json, application/json', authorization },
    });
  }

  /** Returns a token that works now. Throws a SourceError. */
  async #readToken(): Promise<string> {
    const { token } = this.#settings;
    if (!isOauthClient(token)) return bearerToken(await sourceSecret(token, 'source.token'));
    const secret = await sourceSecret(token.clientSecret, 'source.token.clientSecret');
    const answer = await this.#patiently(token.tokenUrl, tokenRequest(token, secret));
    if ('problem' in answer) throw this.#sentence(`${token.tokenUrl}: ${answer.problem}`, answer.cause);
    return bearerToken(tokenIn(answer, token, secret));
  }

  /** Sends a request until its answer is no passing one. */
  async #patiently(target: string, asked: HttpRequest): Promise<HttpBody | Failed> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(target, asked);
      const isPassing = !('status' in answer) || PASSING.has(answer.status);
      if (!isPassing || attempt >= TRIES) return answer;
      await this.#pause(answer, attempt);
    }
  }

  async #send(target: string, asked: HttpRequest): Promise<HttpBody | Failed> {
    const late = AbortSignal.timeout(this.#settings.timeoutSeconds * 1000);
    const { origin, pathname, search } = new URL(target);
    try {
      const answer = await this.#dispatcher.request({
        origin,
        path: pathname + search,
        method: 'GET',
        ...asked,
        signal: AbortSignal.any([this.#signal, late]),
      });
      const { statusCode: status, headers } = answer;
      return { status, headers, body: await this.#textOf(answer.body) };
    } catch (cause) {
      if (this.#signal.aborted) throw stopped();
      if (cause instanceof RollcallError) throw cause;
      if (late.aborted) return { problem: `no answer within ${this.#settings.timeoutSeconds} s`, cause };
      return { problem: networkProblem(cause) ?? 'the connection broke', cause };
    }
  }

  async #textOf(body: AsyncIterable<Buffer>): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES)
        throw this.#sentence('an answer is larger than 64 MB: set a lower source.pageSize');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Returns whether the token can be read again; only once after each that was taken. */
  #renews(): boolean {
    if (typeof this.#settings.token === 'string' || this.#isRenewed) return false;
    this.#token = null;
    this.#isRenewed = true;
    return true;
  }

  async #pause(answer: HttpBody | Failed, attempt: number): Promise<void> {
    const asked =
      'status' in answer
        ? retryAfterMs(oneOf(answer.headers['retry-after']), dateOf(answer) ?? this.#clock.now())
        : null;
    if (asked !== null && asked > LONGEST_PAUSE_MS) {
      throw this.#sentence(
        `it wants a pause of ${Math.ceil(asked / 1000)} s; it is asked again at the next run`,
      );
    }
    await pause(this.#clock, asked ?? backOffMs(attempt, BACK_OFF, Math.random()), this.#signal);
  }

  #parsed(answer: HttpBody, resource: string): Resource {
    this.#isRenewed = false;
    const value = jsonOf(answer.body);
    if (isObject(value)) return value;
    const type = oneOf(answer.headers['content-type']) ?? 'no type';
    const what = /json/iu.test(type)
      ? `/${resource} answers with JSON that is cut or damaged; look at the server, and at proxies before it`
      : `/${resource} answers with ${type}, which is no SCIM list; check source.url: it ends before /Users, as in https://idp.example.com/scim/v2`;
    throw new ScimRefusedError(this.#aboutRead(what), { status: answer.status, words: type });
  }

  #error(answer: HttpBody | Failed, resource: string): SourceError {
    if ('problem' in answer) return this.#sentence(answer.problem, answer.cause);
    const { status, body, headers } = answer;
    const value = jsonOf(body);
    const detail = isObject(value) && typeof value['detail'] === 'string' ? value['detail'] : '';
    const words = detail === '' ? '' : `: ${printable(this.#withoutToken(detail))}`;
    const location = oneOf(headers['location']);
    const where = location === null ? '' : ` to ${printable(location)}`;
    const what = `/${resource} answers ${status}${where}${words}; ${remedyFor(status)}`;
    return new ScimRefusedError(this.#aboutRead(what), { status, words: `${status}${words}` });
  }

  #withoutToken(text: string): string {
    return this.#token === null ? text : text.replaceAll(this.#token, '[secret]');
  }

  #sentence(what: string, cause?: unknown): SourceError {
    return new SourceError(this.#aboutRead(what), { cause });
  }

  #aboutRead(what: string): string {
    return `The SCIM server ${this.#settings.url}: ${what}; the read is incomplete and nothing of it is used.`;
  }
}

function remedyFor(status: number): string {
  if (status === 401) return 'check source.token';
  if (status === 403) return 'the token may not read this: give it the right to read users and groups';
  if (status === 404) return 'check source.url and resource';
  if (status === 400) return 'check the filter; if the server takes none, see docs/sources/scim.md';
  if (status >= 300 && status < 400) return 'put the right address into source.url';
  return 'it is asked again at the next run';
}

function dateOf({ headers }: HttpBody): number | null {
  const date = Date.parse(oneOf(headers['date']) ?? '');
  return Number.isNaN(date) ? null : date;
}

function jsonOf(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

function oneOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

const isStatus = (answer: HttpBody | Failed, status: number): answer is HttpBody =>
  'status' in answer && answer.status === status;

/** Returns the token as a header has it. Throws a SourceError that does not show it. */
function bearerToken(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  throw new SourceError(
    'source.token: has blanks or other characters that no token has; give the token alone.',
  );
}
