import { checkedText, REMEDY } from './values.ts';
import { isLoopback } from '../domain/text/loopback.ts';

/** Returns the schema of a source's URL with one of these schemes. */
export function sourceUrl(schemes: readonly string[]) {
  return checkedText((url) => sourceUrlProblem(url, schemes));
}

/**
 * Returns a sentence about what is wrong with the URL of a source, or `undefined`. The URL carries the
 * password, so the sentence shows at most its scheme.
 */
function sourceUrlProblem(address: string, schemes: readonly string[]): string | undefined {
  const scheme = schemeOf(address);
  if (!schemes.includes(scheme)) {
    return `has ${scheme === '' ? 'no scheme' : `the scheme ${scheme}`}${REMEDY}begin it with one of ${schemes.join(' ')}`;
  }
  if (scheme === 'sqlite:') return sqliteProblem(address);
  return hostProblem(address) ?? (/^ldaps?:$/u.test(scheme) ? beyondHost(new URL(address)) : undefined);
}

/** Finds what other programs take in the URL of a directory, and what would say nothing here. */
function beyondHost({ username, password, pathname, search }: URL): string | undefined {
  if (username !== '' || password !== '')
    return `has a user or a password, which are not taken from there${REMEDY}write them as bindDn and bindPassword`;
  if (!['', '/'].includes(pathname) || search !== '')
    return `has more than a server, which is not taken from there${REMEDY}write the DN as base of units and people`;
  return undefined;
}

function sqliteProblem(address: string): string | undefined {
  return address.length > 'sqlite:'.length ? undefined : `names no file${REMEDY}write sqlite:PATH`;
}

function hostProblem(address: string): string | undefined {
  const url = readUrl(address);
  if (url === undefined) return UNREADABLE;
  return url.hostname === '' ? `names no host${REMEDY}write it as scheme://host/…` : undefined;
}

/**
 * Returns a sentence about what is wrong with the URL of a proxy, or `undefined`. The URL carries the
 * password, so the sentence shows nothing of it.
 */
export function proxyUrlProblem(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) {
    return `is no http:// or https:// URL${REMEDY}write it as http://proxy.example.com:3128`;
  }
  const url = readUrl(address);
  if (url === undefined) return UNREADABLE;
  if (url.pathname !== '/' || url.search + url.hash !== '') {
    return `has something after host and port${REMEDY}remove it`;
  }
  return undefined;
}

const UNREADABLE = `cannot be read as a URL${REMEDY}percent-encode @ : / ? # % in user and password (@ is %40, / is %2F)`;

/** Returns the URL, if its user and password are encoded. */
function readUrl(address: string): URL | undefined {
  // An @ after the host ends a password that has a slash, a question mark or a hash in it.
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && !`${url.pathname}${url.search}${url.hash}`.includes('@');
  return isPlain && isEncoded(url) ? url : undefined;
}

/** Returns a sentence about what is wrong with the URL of a store of a shared pace, or `undefined`; nothing of it is shown. */
export function storeUrlProblem(address: string): string | undefined {
  if (!/^rediss?:\/\//iu.test(address))
    return `is no address of Redis${REMEDY}write it as redis://HOST:6379 or rediss://:PASSWORD@HOST:6379`;
  const url = readUrl(address);
  if (url === undefined) return UNREADABLE;
  return url.host === '' ? `has no host${REMEDY}write it as redis://HOST:6379` : undefined;
}

/** Returns a sentence about what is wrong with the URL of a mail server, or `undefined`; nothing of it is shown. */
export function smtpUrlProblem(address: string): string | undefined {
  if (!/^smtps?:\/\//iu.test(address))
    return `is no smtp:// or smtps:// URL${REMEDY}write it as smtps://USER:PASSWORD@HOST`;
  const url = readUrl(address);
  if (url === undefined) return UNREADABLE;
  if (url.hostname === '') return `has no host${REMEDY}write it as smtps://HOST`;
  if (!['', '/'].includes(url.pathname) || url.search + url.hash !== '')
    return `has something after host and port${REMEDY}remove it`;
  return undefined;
}

/** Returns a sentence about what is wrong with the URL of a webhook, or `undefined`; nothing of it is shown. */
export function webhookUrlProblem(address: string): string | undefined {
  const url = /^https?:\/\//iu.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.username + url.password + url.hash === '') return undefined;
  return `is no http:// or https:// URL without user and fragment${REMEDY}write it as https://hooks.example.com/…`;
}

/** Returns whether user and password can be decoded: drivers decode them, and fail at a bare %. */
function isEncoded({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

/** Returns whether a URL of this protocol leads over a network: what is said there can be read on the way. */
export function isClear(url: string, protocol: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === protocol && !isLoopback(parsed.hostname);
}

/** Returns the scheme of a URL, such as `ldap:` for `LDAP://host`; empty if there is none. */
export function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/iu.exec(url)?.[0].toLowerCase() ?? '';
}
