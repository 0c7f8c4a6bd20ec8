import type { SourceError } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  dateOf,
  headerOf,
  HttpClient,
  isAnswer,
  isPassingStatus,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type ResetHeader,
} from '../../lib/http/http-client.ts';
import { isObject } from '../../lib/parse-lossless.ts';
import { networkProblem, stopped } from '../connect/network-problem.ts';
import type { Refusals } from '../connect/refusals.ts';
import { tlsTrust, type TlsSettings } from '../connect/tls-options.ts';
import { Authorizer, requestOf, type Auth, type AuthNeeds } from './auth.ts';
import { jsonOf, pointed, textOf } from './json-path.ts';
import { httpProblem, RefusedAnswer } from './problems.ts';

/** What tells a good answer from others that have HTTP 200 as well. */
export interface OkRules {
  /** JSON Pointer to a code. */
  readonly at: string;
  /** Codes of a good answer. */
  readonly is: readonly string[];
  /** JSON Pointer to the server's words about a failure. */
  readonly words?: string | undefined;
  /** Codes of a server that wants a pause. */
  readonly wait: readonly string[];
  /** Codes of a server that wants other credentials. */
  readonly renew: readonly string[];
}

/** Where a server is, who asks, and how. */
export interface HttpAccess {
  readonly url: string;
  readonly auth: Auth;
  readonly tls: TlsSettings;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly ok?: OkRules | undefined;
  readonly rate?:
    { readonly perSecond?: number | undefined; readonly reset?: ResetHeader | undefined } | undefined;
  /** Seconds for each answer; absent: 60. */
  readonly timeoutSeconds?: number | undefined;
}

/** How messages speak of a kind of server. */
export interface ServerWords {
  /** `The SCIM server` */
  readonly server: string;
  readonly accept: string;
  readonly placeOf: AuthNeeds['placeOf'];
  /** Returns what to do about a status of HTTP. */
  readonly remedyFor: (status: number) => string;
  /** Returns the server's own words in an answer that is a failure; `undefined`: it has none. */
  readonly saidIn: (value: unknown, body: string) => string | undefined;
  /** Says of another type of content what it is not, and what to do. */
  readonly notJson: string;
}

/** One question. */
export interface Question {
  /** Its address: below that of the server, or of the same origin. */
  readonly url: string;
  /** Its path in messages, without a slash at its beginning: a token may stand in the query. */
  readonly name: string;
  /** JSON that is sent by POST; `null`: it is asked by GET. */
  readonly body: string | null;
}

/** What the server answered. */
export interface JsonAnswer {
  /** `undefined`: the body is empty. */
  readonly value: unknown;
  readonly headers: HttpAnswer['headers'];
  /** Time of the server's clock (`Date`), ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Who remembers secrets, and which of them were refused. */
export interface ClientContext {
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly onSecret?: ((secret: string) => void) | undefined;
}

/** As many characters of a server's words are shown. */
const LONGEST_WORDS = 200;

/** Asks one server for JSON over HTTP. */
export class JsonClient {
  readonly #access: HttpAccess;
  readonly #words: ServerWords;
  readonly #signal: AbortSignal;
  readonly #http: HttpClient;
  readonly #authorizer: Authorizer;
  readonly #parsed = new WeakMap<HttpAnswer, { readonly value: unknown }>();

  constructor(access: HttpAccess, words: ServerWords, context: ClientContext, signal: AbortSignal) {
    this.#access = access;
    this.#words = words;
    this.#signal = signal;
    const { clock, refusals, onSecret = () => undefined } = context;
    const { url, auth, tls, rate, timeoutSeconds: seconds = 60 } = access;
    const addresses = [url, auth.oauth?.tokenUrl ?? ''];
    this.#http = new HttpClient({ addresses, tls: tlsTrust(tls), seconds, clock, signal, ...rate });
    this.#authorizer = new Authorizer(auth, {
      url,
      placeOf: words.placeOf,
      refusals,
      onSecret,
      ask: (to, request, isOnce) => this.#token(to, request, isOnce === true),
      judge: (answer) => this.#judged(answer),
      isDenial: (answer) => this.#isDenial(answer),
    });
  }

  /**
   * Returns the JSON that the server answers. Asks again if it wants a pause or is disturbed, and once with new credentials
   * if it refuses those it got. Throws a SourceError with its own words: a RefusedAnswer if it has answered.
   */
  async ask(question: Question): Promise<JsonAnswer> {
    const [{ origin, protocol, host }, own] = [new URL(question.url), new URL(this.#access.url)];
    if (origin !== own.origin)
      throw this.#sentence(
        `/${question.name} links to ${this.#authorizer.hide(`${protocol}//${host}`)}, and nothing is asked there: links have to ` +
          `begin with ${own.origin}`,
      );
    let answer = await this.#send(question);
    if (this.#isUnauthorized(answer) && (await this.#authorizer.renews()))
      answer = await this.#send(question);
    const judged = this.#judged(answer);
    if ('wrong' in judged) throw this.#refused(answer, question.name, judged.wrong);
    this.#authorizer.taken();
    return { value: judged.value, headers: answer.headers, date: dateOf(answer) };
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  async #send(question: Question): Promise<HttpAnswer> {
    const { headers, query } = await this.#authorizer.current();
    const url = new URL(question.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const all = { accept: this.#words.accept, ...this.#access.headers, ...headers };
    const send = (): Promise<HttpAnswer> => this.#ask(url.href, requestOf(question.body, all));
    return this.#authorizer.tried(send, (answer) => {
      if (!this.#isUnauthorized(answer)) return null;
      const judged = this.#judged(answer);
      return this.#refused(answer, question.name, 'wrong' in judged ? judged.wrong : '').message;
    });
  }

  /** Asks for a token. */
  async #token(url: string, request: HttpRequest, isOnce: boolean): Promise<HttpAnswer> {
    const from = `${url.replace(/\?.*$/u, '')}: `;
    const answer = await this.#ask(url, request, { from, isOnce });
    if (!isOnce || !isPassingStatus(answer)) return answer;
    throw this.#sentence(`${from}answers ${answer.status}; ${this.#words.remedyFor(answer.status)}`);
  }

  async #ask(
    url: string,
    request: HttpRequest,
    { from = '', isOnce = false }: { readonly from?: string; readonly isOnce?: boolean } = {},
  ): Promise<HttpAnswer> {
    let answer: HttpAnswer | HttpFailure;
    try {
      const passes = (one: HttpAnswer): boolean => this.#wantsPause(one) || (!isOnce && isPassingStatus(one));
      answer = await this.#http.ask(url, request, passes);
    } catch (error) {
      throw this.#signal.aborted ? stopped() : error;
    }
    if (isAnswer(answer)) return answer;
    const { failure, seconds, cause } = answer;
    const words = {
      late: `no answer within ${seconds} s`,
      tooLong: 'an answer is larger than 64 MB: ask the vendor of the server to give smaller pages',
      otherBytes: 'an answer is not in UTF-8, as JSON has to be: ask the vendor of the server for that',
      pause: `it wants a pause of ${seconds} s; it is asked again at the next run`,
      broken: networkProblem(cause) ?? 'the connection broke',
    };
    throw this.#sentence(from + words[failure], cause);
  }

  /** Returns the code of an answer, by `ok`; `undefined`: it has none. */
  #codeOf(answer: HttpAnswer): string | undefined {
    const { ok } = this.#access;
    return ok === undefined ? undefined : textOf(pointed(this.#valueOf(answer), ok.at));
  }

  #wantsPause(answer: HttpAnswer): boolean {
    const { wait = [], is = [] } = this.#access.ok ?? {};
    const code = wait.length === 0 ? undefined : this.#codeOf(answer);
    return code !== undefined && wait.includes(code) && !is.includes(code);
  }

  #isUnauthorized(answer: HttpAnswer): boolean {
    const renew = this.#access.ok?.renew ?? [];
    return answer.status === 401 || (renew.length > 0 && renew.includes(this.#codeOf(answer) ?? ''));
  }

  /** Returns whether an answer to a login may mean that the secret is wrong; others are of a server that is not well. */
  #isDenial(answer: HttpAnswer): boolean {
    const value = this.#valueOf(answer);
    if (answer.status !== 200) return [400, 401, 403].includes(answer.status);
    return value !== undefined && this.#failureIn(answer, value) !== null && !this.#wantsPause(answer);
  }

  /** Returns the value of a good answer, or what is wrong with it: `answers 403: …; what to do`. */
  #judged(answer: HttpAnswer): { readonly value: unknown } | { readonly wrong: string } {
    const { status, body } = answer;
    const value = this.#valueOf(answer);
    if (status !== 200 && status !== 204) {
      const location = headerOf(answer, 'location');
      const where = location === null ? '' : ` to ${this.#authorizer.hide(location.replace(/\?.*$/u, ''))}`;
      return {
        wrong: `answers ${status}${where}${this.#saidIn(value, body)}; ${this.#words.remedyFor(status)}`,
      };
    }
    if (body.trim() === '') return { value: undefined };
    if (value === undefined) return { wrong: this.#notJson(answer) };
    const failure = this.#failureIn(answer, value);
    return failure === null ? { value } : { wrong: failure };
  }

  /** Returns what is wrong by the code in an answer, or by an error beside its list; `null`: it is a good one. */
  #failureIn(answer: HttpAnswer, value: unknown): string | null {
    const { ok } = this.#access;
    if (ok === undefined) {
      const error = isObject(value) ? ERRORS.find((name) => says(value[name])) : undefined;
      return error === undefined
        ? null
        : `answers with ${error}${this.shown(JSON.stringify(value))}; if that is no failure, say by ok what one is`;
    }
    const code = this.#codeOf(answer);
    if (ok.is.includes(code ?? '')) return null;
    const told = code === undefined ? `nothing at ${ok.at}` : `${ok.at} ${this.#authorizer.hide(code)}`;
    const words = ok.words === undefined ? '' : this.shown(textOf(pointed(value, ok.words)) ?? '');
    const remedy = this.#remedyForCode(answer);
    return `answers with ${told}, which is none of ok.is${words}; ${remedy}`;
  }

  #remedyForCode(answer: HttpAnswer): string {
    if (this.#isUnauthorized(answer)) return this.#words.remedyFor(401);
    return this.#wantsPause(answer) ? this.#words.remedyFor(503) : 'look up what the server means';
  }

  /** Returns the JSON of an answer, parsed once; `undefined`: it is none. */
  #valueOf(answer: HttpAnswer): unknown {
    const parsed = this.#parsed.get(answer) ?? { value: jsonOf(answer.body) };
    this.#parsed.set(answer, parsed);
    return parsed.value;
  }

  /** Returns words of the server as a message may have them, behind a colon; empty if there are none. */
  shown(words: string): string {
    const shown = this.#authorizer.hide(words).trim();
    if (shown === '') return '';
    return `: ${shown.length > LONGEST_WORDS ? `${shown.slice(0, LONGEST_WORDS)}…` : shown}`;
  }

  #notJson(answer: HttpAnswer): string {
    const type = headerOf(answer, 'content-type') ?? 'no type';
    return /json/iu.test(type)
      ? 'answers with JSON that is cut or damaged; look at the server, and at proxies before it'
      : `answers with ${this.#authorizer.hide(type)}, ${this.#words.notJson}`;
  }

  #refused(answer: HttpAnswer, path: string, what: string): RefusedAnswer {
    const { status, body } = answer;
    const words = status === 200 ? what : `${status}${this.#saidIn(this.#valueOf(answer), body)}`;
    const { message } = httpProblem('http-refused', { ...this.#named, path, what });
    return new RefusedAnswer(message, { status, words });
  }

  #saidIn(value: unknown, body: string): string {
    return this.shown(this.#words.saidIn(value, body) ?? '');
  }

  #sentence(what: string, cause?: unknown): SourceError {
    return httpProblem('http-server', { ...this.#named, what }, { cause });
  }

  get #named(): { readonly server: string; readonly url: string } {
    return { server: this.#words.server, url: this.#access.url };
  }
}

/** Names under which servers tell of a failure, also beside a list that it has cut. */
const ERRORS = ['error', 'errors'];

/** Returns whether a value says that there is an error: not an empty one, a zero or a false. */
const says = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : !['', '0', 'false', 'null', 'undefined'].includes(String(value));
