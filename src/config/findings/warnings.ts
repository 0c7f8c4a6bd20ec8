import type { Settings, SourceSettings } from '../../domain/settings.ts';
import { ofKind, type OfKinds } from '../../domain/source-kinds.ts';

/** Returns what is allowed but worth a line in the log at every start. */
export function warningsOf({ service, source }: Settings): readonly string[] {
  return [
    ...insecureWarning(source),
    ...ofKind(CLEAR_TEXT, source),
    ...(isClear(service.baseUrl, 'http:')
      ? ['service.baseUrl is http://: the token goes over the network in clear; use https://']
      : []),
  ];
}

function insecureWarning({ tls }: SourceSettings): readonly string[] {
  if (!tls.insecure) return [];
  return ['source.tls.insecure is true: anybody in between can pose as the source; use tls.caFile instead'];
}

/**
 * Warnings about sources without TLS. None for databases: their drivers ask for TLS, unless the URL says
 * otherwise.
 */
const CLEAR_TEXT: OfKinds<readonly string[]> = {
  ldap: ({ startTls, url }) =>
    startTls || !isClear(url, 'ldap:')
      ? []
      : ['source.url is ldap:// without startTls: password and people go in clear; set startTls: true'],
  sql: () => [],
};

function isClear(url: string, protocol: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === protocol && !/^(localhost|127\..*|\[::1\])$/.test(parsed.hostname);
}
