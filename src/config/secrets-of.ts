import type { Settings } from '../domain/settings.ts';
import { ofKind, sourcesOf, type OfKinds } from '../domain/source-kinds.ts';

/**
 * Returns the literal secrets of the settings, for the log to hide wherever they turn up. A token from a file
 * or a command is known only after it was read: whoever reads it tells the log.
 */
export function secretsOf({ service, source, approvals }: Settings): readonly string[] {
  const tokens = [service.token, service.appToken].filter((token) => typeof token === 'string');
  const { token = '', key = '' } = approvals?.callback ?? {};
  const all = [
    token,
    key,
    ...tokens,
    ...[service.proxy ?? '', service.limits.shared?.url ?? ''].flatMap(urlPasswords),
    ...sourcesOf(source).flatMap((one) => ofKind(SECRETS, one.source)),
  ];
  return [...new Set(all)].filter((secret) => secret !== '');
}

/** Secrets of a source. */
const SECRETS: OfKinds<readonly string[]> = {
  ldap: ({ bindPassword = '', url, otherUrls = [] }) => [
    ...(typeof bindPassword === 'string' ? [bindPassword] : []),
    ...[url, ...otherUrls].flatMap(urlPasswords),
  ],
  sql: ({ url }) => urlPasswords(url),
  csv: () => [],
  scim: ({ token }) => (typeof token === 'string' ? [token] : []),
};

/** Returns the password both as the URL has it and as the server gets it. */
function urlPasswords(text: string): readonly string[] {
  const { password } = URL.canParse(text) ? new URL(text) : { password: '' };
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
