import { REMEDY } from './section.ts';

/**
 * Returns a sentence about what is wrong with the URL of a proxy, or `undefined`. The URL carries the
 * password, so the sentence shows nothing of it.
 */
export function proxyUrlProblem(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) {
    return `is no http:// or https:// URL${REMEDY}write it as http://proxy.example.com:3128`;
  }
  // An @ after the host ends a password that has a slash, a question mark or a hash in it.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || `${url.pathname}${url.search}${url.hash}`.includes('@') || !isEncoded(url)) {
    return `cannot be read as a URL${REMEDY}percent-encode @ : / ? # % in user and password (@ is %40, / is %2F)`;
  }
  if (url.pathname !== '/' || url.search + url.hash !== '') {
    return `has something after host and port${REMEDY}remove it`;
  }
  return undefined;
}

/** Returns whether user and password can be decoded. */
function isEncoded({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}
