import type { OauthClient, SecretSource } from '../../domain/source-settings.ts';
import { hideAll, spellingsOf } from '../../domain/text/hide.ts';
import { printable } from '../../domain/text/printable.ts';
import type { HttpAnswer, HttpRequest } from '../../lib/http/http-client.ts';
import { isObject } from '../../lib/parse-lossless.ts';
import { RefusedSecretError, type Refusals } from '../connect/refusals.ts';
import { sourceSecret } from '../connect/source-secret.ts';
import { jsonOf, pointed, textOf } from './json-path.ts';
import { httpProblem, loginProblem } from './problems.ts';

type Texts = Readonly<Record<string, string>>;

/** A question for a token, in which `{secret}` stands for the secret. */
export interface Login {
  readonly get?: string | undefined;
  readonly post?: string | undefined;
  readonly query?: Texts | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly secret: SecretSource;
  /** JSON Pointer to the token in the answer. */
  readonly token: string;
  readonly as: 'bearer' | { readonly header: string } | { readonly query: string };
}

/** A client of an OAuth server, and where it names itself; absent: in the header (HTTP Basic). */
type NamedClient = OauthClient & { readonly in?: 'basic' | 'body' | undefined };

/** How rollcall shows who asks: at most one of `bearer`, `basic`, `oauth` and `login`. */
export interface Auth {
  readonly bearer?: SecretSource | undefined;
  readonly basic?: { readonly user: string; readonly password: SecretSource } | undefined;
  readonly oauth?: NamedClient | undefined;
  readonly login?: Login | undefined;
  readonly header?:
    | Readonly<Record<string, SecretSource | { readonly prefix: string; readonly secret: SecretSource }>>
    | undefined;
}

/** What stands in each request. */
interface Credentials {
  readonly headers: Texts;
  readonly query: Texts;
}

/** What it takes to get credentials. */
export interface AuthNeeds {
  /** Address of the server. */
  readonly url: string;
  /** Returns where a kind of credentials stands in the configuration. */
  readonly placeOf: (kind: keyof Auth) => string;
  readonly refusals: Refusals;
  readonly onSecret: (secret: string) => void;
  /** Sends a request; throws a SourceError if there is no answer. `isOnce`: an answer that is a failure is final. */
  readonly ask: (url: string, request: HttpRequest, isOnce?: boolean) => Promise<HttpAnswer>;
  /** Returns the value of a good answer, or what is wrong with it. */
  readonly judge: (answer: HttpAnswer) => { readonly value: unknown } | { readonly wrong: string };
  /** Returns whether an answer to a login may mean that the secret is wrong. */
  readonly isDenial: (answer: HttpAnswer) => boolean;
}

/** Gets the credentials for one server, and gets them anew once the server refuses them. */
export class Authorizer {
  readonly #auth: Auth;
  readonly #needs: AuthNeeds;
  readonly #secrets = new Set<string>();
  #current: Credentials | null = null;
  #isRenewed = false;
  #password = '';

  constructor(auth: Auth, needs: AuthNeeds) {
    this.#auth = auth;
    this.#needs = needs;
  }

  /** Returns the credentials that work now. Throws a SourceError. */
  async current(): Promise<Credentials> {
    this.#current ??= await this.#make();
    return this.#current;
  }

  /** Returns whether there are other credentials than those that were refused; only once after each that was taken. */
  async renews(): Promise<boolean> {
    if (this.#isRenewed || !this.#isRenewable) return false;
    const [before, password] = [JSON.stringify(this.#current), this.#password];
    this.#isRenewed = true;
    this.#current = null;
    if (password === '') return true;
    return JSON.stringify(await this.current()) !== before;
  }

  /** Notes that the credentials were taken. */
  taken(): void {
    this.#isRenewed = false;
  }

  /** Sends a request with a password: one that was refused before is not tried again too early. */
  async tried(
    send: () => Promise<HttpAnswer>,
    refusalOf: (answer: HttpAnswer) => string | null,
  ): Promise<HttpAnswer> {
    const { basic } = this.#auth;
    if (basic === undefined) return send();
    let answer: HttpAnswer | null = null;
    const open = async (): Promise<HttpAnswer> => {
      answer = await send();
      const refusal = refusalOf(answer);
      if (refusal !== null) throw new RefusedSecretError(refusal);
      return answer;
    };
    try {
      return await this.#needs.refusals.tried(this.#account(basic.user), this.#password, open);
    } catch (error) {
      if (error instanceof RefusedSecretError && answer !== null) return answer;
      throw error;
    }
  }

  /** Returns words of a server without the secrets: it may repeat what it got. */
  hide(words: string): string {
    const hidden = [...this.#secrets].map((secret) => spellingsOf(secret));
    return printable(hideAll(words, hidden, '[secret]'));
  }

  get #isRenewable(): boolean {
    const { bearer, basic, oauth, login, header = {} } = this.#auth;
    if (oauth !== undefined || login !== undefined) return true;
    const others = Object.values(header).map((one) => (isPrefixed(one) ? one.secret : one));
    return [bearer, basic?.password, ...others].some((one) => one !== undefined && typeof one !== 'string');
  }

  async #make(): Promise<Credentials> {
    const { bearer, basic, oauth, login } = this.#auth;
    const own = await this.#headers();
    const withHeaders = (headers: Texts, query: Texts = {}) => ({ headers: { ...own, ...headers }, query });
    if (bearer !== undefined) return withHeaders(this.#bearer(await this.#read(bearer, 'bearer'), 'bearer'));
    if (oauth !== undefined) return withHeaders(this.#bearer(await this.#tokenOf(oauth), 'oauth'));
    if (basic !== undefined) {
      this.#password = await this.#read(basic.password, 'basic', '.password');
      return withHeaders({ authorization: basicOf(`${basic.user}:${this.#password}`) });
    }
    if (login === undefined) return withHeaders({});
    const token = await this.#loggedIn(login);
    if (login.as === 'bearer') return withHeaders(this.#bearer(token, 'login'));
    if ('query' in login.as) return withHeaders({}, { [login.as.query]: token });
    return withHeaders({ [login.as.header]: this.#sound(token, 'login') });
  }

  async #headers(): Promise<Texts> {
    const headers: Record<string, string> = {};
    for (const [name, one] of Object.entries(this.#auth.header ?? {})) {
      const { prefix, secret } = isPrefixed(one) ? one : { prefix: '', secret: one };
      headers[name] = prefix + this.#sound(await this.#read(secret, 'header', `.${name}`), 'header');
    }
    return headers;
  }

  async #read(secret: SecretSource, kind: keyof Auth, key = ''): Promise<string> {
    return this.#known(await sourceSecret(secret, this.#needs.placeOf(kind) + key));
  }

  #known(secret: string): string {
    this.#secrets.add(secret);
    this.#needs.onSecret(secret);
    return secret;
  }

  #bearer(token: string, kind: keyof Auth): Texts {
    return { authorization: `Bearer ${this.#sound(token, kind)}` };
  }

  /** Returns a token as a header has it. Throws a SourceError that does not show it. */
  #sound(text: string, kind: keyof Auth): string {
    const token = text.trim();
    if (/^[\x21-\x7e]+$/u.test(token)) return token;
    throw httpProblem('bad-token', { key: this.#needs.placeOf(kind) });
  }

  /** Asks for a token by the grant client_credentials (RFC 6749, sections 2.3.1, 4.4.2, 5.1 and 5.2). */
  async #tokenOf({ tokenUrl, clientId, clientSecret, scope, in: place }: NamedClient): Promise<string> {
    const secret = await this.#read(clientSecret, 'oauth', '.clientSecret');
    const account = `${formEncoded(clientId)}:${formEncoded(secret)}`;
    [formEncoded(secret), account].forEach((one) => this.#secrets.add(one));
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
      ...(place === 'body' && { client_id: clientId, client_secret: secret }),
    });
    const answer = await this.#needs.ask(tokenUrl, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(place !== 'body' && { authorization: basicOf(account) }),
      },
      body: form.toString(),
    });
    const value = jsonOf(answer.body);
    const parts = isObject(value) ? value : {};
    const token = parts['access_token'];
    if (answer.status === 200 && typeof token === 'string') return this.#known(token);
    const words = [parts['error'], parts['error_description']].filter((one) => typeof one === 'string');
    const text = words.length === 0 ? '' : `: ${this.hide(words.join(', '))}`;
    const what =
      answer.status === 200 ? 'answers without an access_token' : `answers ${answer.status}${text}`;
    throw httpProblem('no-token', { key: this.#needs.placeOf('oauth'), url: tokenUrl, what });
  }

  /** Logs in. Throws a SourceError; the same question with the same secret is not asked again too early. */
  async #loggedIn(login: Login): Promise<string> {
    const secret = await this.#read(login.secret, 'login', '.secret');
    const { get, post = '', query = {}, body } = login;
    const filled = (value: unknown): unknown => (value === '{secret}' ? secret : value);
    const path = get ?? post;
    const url = new URL(this.#needs.url + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(filled(value)));
    const json = JSON.stringify(body ?? {}, (_, value) => filled(value));
    const account = this.#account(JSON.stringify({ ...login, secret: '' }));
    return this.#needs.refusals.tried(account, secret, async () => {
      const answer = await this.#needs.ask(url.href, requestOf(get === undefined ? json : null), true);
      const judged = this.#needs.judge(answer);
      const token = 'value' in judged ? textOf(pointed(judged.value, login.token)) : undefined;
      if (token !== undefined && token !== '') return this.#known(token);
      const what = 'wrong' in judged ? judged.wrong : `has no token at ${login.token}`;
      const details = { key: this.#needs.placeOf('login'), path, what };
      throw this.#needs.isDenial(answer)
        ? loginProblem('no-login', details)
        : httpProblem('login-failed', details);
    });
  }

  #account(name: string): string {
    return `${name} at ${this.#needs.url}`;
  }
}

/** Returns a request for JSON; with a body it is sent by POST. */
export function requestOf(body: string | null, headers: Texts = {}): HttpRequest {
  const accept = { accept: 'application/json', ...headers };
  if (body === null) return { headers: accept };
  return { method: 'POST', headers: { ...accept, 'content-type': 'application/json' }, body };
}

function isPrefixed(
  one: SecretSource | { readonly prefix: string; readonly secret: SecretSource },
): one is { readonly prefix: string; readonly secret: SecretSource } {
  return typeof one !== 'string' && 'secret' in one;
}

const basicOf = (account: string): string => `Basic ${Buffer.from(account).toString('base64')}`;

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
