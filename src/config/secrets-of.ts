import type { Settings, SourceSettings } from '../domain/settings.ts';
import { ofKind, type OfKinds } from '../domain/source-kinds.ts';

/**
 * Returns the literal secrets of the settings, for the log to hide wherever they turn up. A token from a file
 * or a command is known only after it was read: whoever reads it tells the log.
 */
export function secretsOf({ service, source }: Settings): readonly string[] {
  const tokens = [service.token, service.appToken].filter((token) => typeof token === 'string');
  const all = [...tokens, ...urlPasswords(service.proxy ?? ''), ...sourceSecrets(source)];
  return [...new Set(all)].filter((secret) => secret !== '');
}

/** Secrets of a source besides the password in its URL. */
const SECRETS: OfKinds<readonly string[]> = {
  ldap: ({ bindPassword }) => [bindPassword ?? ''],
  sql: () => [],
};

function sourceSecrets(source: SourceSettings): readonly string[] {
  return [...ofKind(SECRETS, source), ...urlPasswords(source.url)];
}

/** Returns the password both as the URL has it and as the server gets it. */
function urlPasswords(text: string): readonly string[] {
  const { password } = URL.canParse(text) ? new URL(text) : { password: '' };
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
