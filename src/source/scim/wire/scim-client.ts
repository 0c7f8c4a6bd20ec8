import type { SourceError } from '../../../domain/errors.ts';
import {
  isOauthClient,
  type OauthClient,
  type SecretSource,
  type Tls,
} from '../../../domain/source-settings.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Clock } from '../../../lib/clock.ts';
import {
  dateOf,
  headerOf,
  HttpClient,
  isAnswer,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
} from '../../../lib/http/http-client.ts';
import { isObject, parseLossless } from '../../../lib/parse-lossless.ts';
import { sourceSecret } from '../../connect/source-secret.ts';
import { networkProblem, stopped } from '../../connect/network-problem.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { ScimRefusedError, type Resource } from './attributes.ts';
import { scimProblem } from './scim-problems.ts';
import { tokenIn, tokenRequest } from './oauth.ts';

/** What the server answered. */
export interface ScimAnswer {
  readonly value: Resource;
  /** Time of the server's clock (`Date`), ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Where a server is, and who asks. */
export interface ScimAccess {
  readonly url: string;
  readonly token: SecretSource | OauthClient;
  readonly tls: Tls;
  /** Seconds for each answer; absent: 60. */
  readonly timeoutSeconds?: number | undefined;
}

/** Asks one SCIM server for lists (RFC 7644, section 3.4.2). */
export class ScimClient {
  readonly #settings: ScimAccess;
  readonly #signal: AbortSignal;
  readonly #http: HttpClient;
  #token: string | null = null;
  #isRenewed = false;

  constructor(settings: ScimAccess, clock: Clock, signal: AbortSignal) {
    this.#settings = settings;
    this.#signal = signal;
    const { url, token, tls, timeoutSeconds: seconds = 60 } = settings;
    const { ca, rejectUnauthorized = true } = tlsOptions(tls, new URL(url).hostname);
    const addresses = [url, isOauthClient(token) ? token.tokenUrl : ''];
    const trust = { rejectUnauthorized, ...(ca !== undefined && { ca }) };
    this.#http = new HttpClient({ addresses, tls: trust, seconds, clock, signal });
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
    await this.#http.close();
  }

  async #get(target: string): Promise<HttpAnswer | HttpFailure> {
    this.#token ??= await this.#readToken();
    const authorization = `Bearer ${this.#token}`;
    return this.#ask(target, {
      headers: { accept: 'application/scim+json, application/json', authorization },
    });
  }

  /** Returns a token that works now. Throws a SourceError. */
  async #readToken(): Promise<string> {
    const { token } = this.#settings;
    if (!isOauthClient(token)) return bearerToken(await sourceSecret(token, 'source.token'));
    const secret = await sourceSecret(token.clientSecret, 'source.token.clientSecret');
    const answer = await this.#ask(token.tokenUrl, tokenRequest(token, secret));
    if (!isAnswer(answer)) throw this.#failed(answer, `${token.tokenUrl}: `);
    return bearerToken(tokenIn(answer, token, secret));
  }

  async #ask(target: string, asked: HttpRequest): Promise<HttpAnswer | HttpFailure> {
    try {
      return await this.#http.ask(target, asked);
    } catch (error) {
      throw this.#signal.aborted ? stopped() : error;
    }
  }

  #failed({ failure, seconds, cause }: HttpFailure, place = ''): SourceError {
    const words = {
      late: `no answer within ${seconds} s`,
      tooLong: 'an answer is larger than 64 MB: ask the vendor of the server to give smaller pages',
      pause: `it wants a pause of ${seconds} s; it is asked again at the next run`,
      broken: networkProblem(cause) ?? 'the connection broke',
    };
    return this.#sentence(place + words[failure], cause);
  }

  /** Returns whether the token can be read again; only once after each that was taken. */
  #renews(): boolean {
    if (typeof this.#settings.token === 'string' || this.#isRenewed) return false;
    this.#token = null;
    this.#isRenewed = true;
    return true;
  }

  #parsed(answer: HttpAnswer, resource: string): Resource {
    this.#isRenewed = false;
    const value = jsonOf(answer.body);
    if (isObject(value)) return value;
    const type = headerOf(answer, 'content-type') ?? 'no type';
    const what = /json/iu.test(type)
      ? `/${resource} answers with JSON that is cut or damaged; look at the server, and at proxies before it`
      : `/${resource} answers with ${type}, which is no SCIM list; check source.url: it ends before /Users, as in https://idp.example.com/scim/v2`;
    throw new ScimRefusedError(this.#aboutRead(what), { status: answer.status, words: type });
  }

  #error(answer: HttpAnswer | HttpFailure, resource: string): SourceError {
    if (!isAnswer(answer)) return this.#failed(answer);
    const { status, body } = answer;
    const value = jsonOf(body);
    const detail = isObject(value) && typeof value['detail'] === 'string' ? value['detail'] : '';
    const words = detail === '' ? '' : `: ${printable(this.#withoutToken(detail))}`;
    const location = headerOf(answer, 'location');
    const where = location === null ? '' : ` to ${printable(location)}`;
    const what = `/${resource} answers ${status}${where}${words}; ${remedyFor(status)}`;
    return new ScimRefusedError(this.#aboutRead(what), { status, words: `${status}${words}` });
  }

  #withoutToken(text: string): string {
    return this.#token === null ? text : text.replaceAll(this.#token, '[secret]');
  }

  #sentence(what: string, cause?: unknown): SourceError {
    return scimProblem('scim-server', { url: this.#settings.url, what }, { cause });
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

function jsonOf(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

const isStatus = (answer: HttpAnswer | HttpFailure, status: number): answer is HttpAnswer =>
  isAnswer(answer) && answer.status === status;

/** Returns the token as a header has it. Throws a SourceError that does not show it. */
function bearerToken(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  throw scimProblem('scim-bad-token', {});
}
