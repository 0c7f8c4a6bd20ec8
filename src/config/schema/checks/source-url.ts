import { schemeOf } from '../../../domain/source-kinds.ts';
import { REMEDY } from './section.ts';

/**
 * Returns a sentence about what is wrong with the URL of a source, or `undefined`. The URL carries the
 * password, so the sentence shows at most its scheme.
 */
export function sourceUrlProblem(text: string, schemes: readonly string[]): string | undefined {
  const scheme = schemeOf(text);
  if (!schemes.includes(scheme)) {
    return `has ${scheme === '' ? 'no scheme' : `the scheme ${scheme}`}${REMEDY}begin it with one of ${schemes.join(' ')}`;
  }
  return scheme === 'sqlite:' ? sqliteProblem(text) : hostProblem(text);
}

function sqliteProblem(text: string): string | undefined {
  return text.length > 'sqlite:'.length ? undefined : `names no file${REMEDY}write sqlite:PATH`;
}

function hostProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An @ after the host ends a password that has a slash, a question mark or a hash in it.
  if (url === undefined || `${url.pathname}${url.search}${url.hash}`.includes('@') || !isEncoded(url)) {
    return `cannot be read as a URL${REMEDY}percent-encode @ : / ? # % in user and password (@ is %40, / is %2F)`;
  }
  return url.hostname === '' ? `names no host${REMEDY}write it as scheme://host/…` : undefined;
}

/** Returns whether user and password can be decoded: drivers decode them, and fail at a bare %. */
function isEncoded({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}
