import { schemeOf, SOURCE_KINDS } from '../../../domain/source-kinds.ts';
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
  if (scheme === 'sqlite:') return sqliteProblem(text);
  return hostProblem(text) ?? (LDAP.has(scheme) ? beyondHost(new URL(text)) : undefined);
}

const LDAP: ReadonlySet<string> = new Set(SOURCE_KINDS.ldap.schemes);

/** Finds what other programs take in the URL of a directory, and what would say nothing here. */
function beyondHost({ username, password, pathname, search }: URL): string | undefined {
  if (username !== '' || password !== '')
    return `has a user or a password, which are not taken from there${REMEDY}write them as bindDn and bindPassword`;
  if (!['', '/'].includes(pathname) || search !== '')
    return `has more than a server, which is not taken from there${REMEDY}write the DN as base of units and people`;
  return undefined;
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
