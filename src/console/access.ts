import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../domain/text/loopback.ts';
import { isSame } from '../http/tokens.ts';

const COOKIE = 'rollcall';
const HOUR_MS = 3_600_000;
/** How long a token that was entered opens the console, ms. */
const OPEN_MS = 12 * HOUR_MS;

/** Headers of a request that came through a proxy. */
const FORWARDED = /^(?:via|forwarded|x-forwarded-.+|(?:x-real|x-client|true-client|cf-connecting)-ip)$/u;

/**
 * Decides who may look. With a token: browsers in which it was entered, for 12 hours or until the daemon starts again.
 * Without one: this machine alone.
 */
export class Access {
  readonly #token: string | undefined;
  readonly #now: () => number;
  /** Signs the cookies of this process. */
  readonly #key = randomBytes(32);

  /** @param now milliseconds on a watch that no one sets */
  constructor(token: string | undefined, now: () => number) {
    this.#token = token;
    this.#now = now;
  }

  /** Returns whether a request may be answered. `token`: first the token is asked for; `elsewhere`: never. */
  of({ host, cookie = '', ...headers }: IncomingHttpHeaders): 'open' | 'token' | 'elsewhere' {
    if (this.#token === undefined) return isDirect(host, headers) ? 'open' : 'elsewhere';
    const [, until = '', seal = ''] = COOKIE_VALUE.exec(cookie) ?? [];
    const isOpen = isSame(seal, this.#sealOf(until)) && Number(until) > this.#now();
    return isOpen ? 'open' : 'token';
  }

  /** Returns the cookie of a browser in which the token was entered. */
  cookie({ 'x-forwarded-proto': protocol }: IncomingHttpHeaders): string {
    const until = String(Math.ceil(this.#now() + OPEN_MS));
    const attributes = `Path=/console; Max-Age=${OPEN_MS / 1000}; HttpOnly; SameSite=Strict`;
    const secure = protocol === 'https' ? '; Secure' : '';
    return `${COOKIE}=${until}.${this.#sealOf(until)}; ${attributes}${secure}`;
  }

  #sealOf(until: string): string {
    return createHmac('sha256', this.#key).update(until).digest('base64url');
  }
}

const COOKIE_VALUE = new RegExp(`(?:^|; )${COOKIE}=(\\d+)\\.([\\w-]+)(?:;|$)`, 'u');

/** A page of elsewhere can make a browser ask this machine, but not under the name of this machine. */
function isDirect(host: string | undefined, headers: IncomingHttpHeaders): boolean {
  const name = host?.replace(/:\d+$/u, '') ?? '';
  return isLoopback(name) && !Object.keys(headers).some((header) => FORWARDED.test(header));
}
