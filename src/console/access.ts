import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../domain/text/loopback.ts';
import { isSame, type NamedToken } from '../http/tokens.ts';

const COOKIE = 'rollcall';
const HOUR_MS = 3_600_000;
/** How long a token that was entered opens the console, ms. */
const OPEN_MS = 12 * HOUR_MS;

/** Headers of a request that came through a proxy. */
const FORWARDED = /^(?:via|forwarded|x-forwarded-.+|(?:x-real|x-client|true-client|cf-connecting)-ip)$/u;

/** Name of who may look and no more: usernames are not empty. */
export const VIEWER = '';

/** Who asks: the username of an approver, or `VIEWER`. */
export type Visitor = Pick<NamedToken, 'name'>;

/**
 * Decides who may look, and who it is. With tokens: browsers in which one was entered, for 12 hours, until they sign out
 * or the daemon starts again. Without: this machine alone.
 */
export class Access {
  readonly #tokens: () => readonly NamedToken[];
  readonly #now: () => number;
  /** Signs the cookies of this process. */
  readonly #key = randomBytes(32);
  /** Seals of those who have signed out, with the end of each. */
  readonly #ended = new Map<string, number>();

  /**
   * @param tokens as they are now
   * @param now milliseconds on a watch that no one sets
   */
  constructor(tokens: () => readonly NamedToken[], now: () => number) {
    this.#tokens = tokens;
    this.#now = now;
  }

  /** Returns who asks. `token`: first a token is asked for; `elsewhere`: never. */
  of({ host, cookie = '', ...headers }: IncomingHttpHeaders): Visitor | 'token' | 'elsewhere' {
    const tokens = this.#tokens();
    if (tokens.length === 0) return isDirect(host, headers) ? { name: VIEWER } : 'elsewhere';
    const [, until = '', code = '', seal = ''] = COOKIE_VALUE.exec(cookie) ?? [];
    const owner = tokens.find(({ name }) => encoded(name) === code);
    const isOpen = owner !== undefined && isSame(seal, this.#sealOf(until, owner));
    return isOpen && Number(until) > this.#now() && !this.#ended.has(seal) ? { name: owner.name } : 'token';
  }

  /** Returns the cookie of a browser in which this token was entered. An approver's never travels in clear. */
  cookie(owner: NamedToken, { 'x-forwarded-proto': protocol }: IncomingHttpHeaders): string {
    const until = String(Math.ceil(this.#now() + OPEN_MS));
    const secure = protocol === 'https' || owner.name !== VIEWER ? '; Secure' : '';
    const value = `${until}.${encoded(owner.name)}.${this.#sealOf(until, owner)}`;
    return `${COOKIE}=${value}; Path=/console; Max-Age=${OPEN_MS / 1000}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Ends what the cookie has opened, in every browser, and returns one that takes its place. */
  end({ cookie = '' }: IncomingHttpHeaders): string {
    const now = this.#now();
    for (const [seal, until] of this.#ended) if (until <= now) this.#ended.delete(seal);
    const [, until = '', , seal = ''] = COOKIE_VALUE.exec(cookie) ?? [];
    this.#ended.set(seal, Number(until));
    return `${COOKIE}=; Path=/console; Max-Age=0; HttpOnly; SameSite=Strict`;
  }

  #sealOf(until: string, { name, token }: NamedToken): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([until, name, token]))
      .digest('base64url');
  }
}

const encoded = (name: string): string => Buffer.from(name).toString('base64url');

const COOKIE_VALUE = new RegExp(`(?:^|; )${COOKIE}=(\\d+)\\.([\\w-]*)\\.([\\w-]+)(?:;|$)`, 'u');

/** A page of elsewhere can make a browser ask this machine, but not under the name of this machine. */
function isDirect(host: string | undefined, headers: IncomingHttpHeaders): boolean {
  const name = host?.replace(/:\d+$/u, '') ?? '';
  return isLoopback(name) && !Object.keys(headers).some((header) => FORWARDED.test(header));
}

/**
 * Returns whether a form was sent by a page of this console: browsers say so, and no other page can. Behind a proxy its
 * name comes in `Host` or `X-Forwarded-Host`.
 */
export function isOwnForm(headers: IncomingHttpHeaders): boolean {
  const { origin = '', host, 'x-forwarded-host': forwarded, 'sec-fetch-site': site } = headers;
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  return from !== '' && [host, forwarded].includes(from) && (site === undefined || site === 'same-origin');
}
