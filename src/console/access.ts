import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../domain/text/loopback.ts';

const COOKIE = 'rollcall';
const HOUR_MS = 3_600_000;
/** How long a token that was entered opens the console, ms. */
const OPEN_MS = 12 * HOUR_MS;

const WINDOW_MS = 60_000;
/** Wrong tries in a window: of one address, and of all together. */
const TRIES = { address: 5, all: 50 } as const;

/** Headers of a request that came through a proxy. */
const FORWARDED = /^(?:via|forwarded|x-forwarded-.+|(?:x-real|x-client|true-client|cf-connecting)-ip)$/u;

/** What becomes of a token that was entered. */
export type Entry = 'right' | 'wrong' | Pause;

/** The token was not looked at. */
export interface Pause {
  /** When it may be entered again, seconds from now. */
  readonly seconds: number;
  /** Whether it is the first time in this minute. */
  readonly isNews: boolean;
}

/**
 * Decides who may look. With a token: browsers in which it was entered, for 12 hours or until the daemon starts again.
 * Without one: this machine alone.
 */
export class Access {
  readonly #token: string | undefined;
  readonly #now: () => number;
  /** Signs the cookies of this process. */
  readonly #key = randomBytes(32);
  #wrong = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;
  #isPaused = false;

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

  enter(address: string, token: string): Entry {
    const age = this.#now() - this.#since;
    if (age >= WINDOW_MS) [this.#wrong, this.#since, this.#isPaused] = [new Map(), this.#now(), false];
    const own = this.#wrong.get(address) ?? 0;
    const all = [...this.#wrong.values()].reduce((sum, n) => sum + n, 0);
    if (own >= TRIES.address || all >= TRIES.all) {
      const isNews = !this.#isPaused;
      this.#isPaused = true;
      return { seconds: Math.ceil((WINDOW_MS - age) / 1000), isNews };
    }
    if (this.#token !== undefined && isSame(token, this.#token)) return 'right';
    this.#wrong.set(address, own + 1);
    return 'wrong';
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

/** Compares in a time that tells nothing of the texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
