import { REMEDY } from './section.ts';

/**
 * Returns a sentence about what is wrong with the URL of a proxy, or `undefined`. The URL carries the
 * password, so the sentence shows nothing of it.
 */
export function proxyUrlProblem(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) {
    return `is no http:// or https:// URL${REMEDY}write it as http://proxy.example.com:3128`;
  }
  const url = readUrl(text);
  if (url === undefined) return UNREADABLE;
  if (url.pathname !== '/' || url.search + url.hash !== '') {
    return `has something after host and port${REMEDY}remove it`;
  }
  return undefined;
}

const UNREADABLE = `cannot be read as a URL${REMEDY}percent-encode @ : / ? # % in user and password (@ is %40, / is %2F)`;

/** Returns the URL, where its user and password are encoded. */
function readUrl(text: string): URL | undefined {
  // An @ after the host ends a password that has a slash, a question mark or a hash in it.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && !`${url.pathname}${url.search}${url.hash}`.includes('@');
  return isPlain && isEncoded(url) ? url : undefined;
}

/** Returns a sentence about what is wrong with the URL of a store of a shared pace, or `undefined`; nothing of it is shown. */
export function storeUrlProblem(text: string): string | undefined {
  if (!/^(rediss?|postgres(ql)?):\/\//iu.test(text)) {
    return `is no address of Redis or PostgreSQL${REMEDY}write it as redis://HOST:6379 or postgres://USER:PASSWORD@HOST/DATABASE`;
  }
  const url = readUrl(text);
  if (url === undefined) return UNREADABLE;
  return url.host === '' ? `has no host${REMEDY}write it as redis://HOST:6379` : undefined;
}

/** Returns whether user and password can be decoded. */
function isEncoded({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}
