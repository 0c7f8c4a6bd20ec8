import type { Settings } from '../../domain/settings.ts';
import { ofKind, sourcesOf, type OfKinds, type PlacedSource } from '../../domain/source-kinds.ts';

/** Returns what is allowed but worth a line in the log at every start. */
export function warningsOf({ service, source, sync }: Settings): readonly string[] {
  return [
    ...sourcesOf(source).flatMap(sourceWarnings),
    ...(sync.sourceFullCron === null && sourcesOf(source).some((one) => one.source.changes === 'auto')
      ? ['sync.sourceFullCron is null: nobody ever looks for what increments of the source have missed']
      : []),
    ...(isClear(service.baseUrl, 'http:')
      ? ['service.baseUrl is http://: the token goes over the network in clear; use https://']
      : []),
  ];
}

function sourceWarnings({ path, source }: PlacedSource): readonly string[] {
  const named = [...('tls' in source ? insecureWarning(source.tls) : []), ...ofKind(CLEAR_TEXT, source)];
  return named.map((warning) => warning.replace(/^source\./u, `${path}.`));
}

function insecureWarning({ insecure }: { readonly insecure: boolean }): readonly string[] {
  if (!insecure) return [];
  return ['source.tls.insecure is true: anybody in between can pose as the source; use tls.caFile instead'];
}

/**
 * Warnings about sources without TLS. None for databases: their drivers ask for TLS, unless the URL says
 * otherwise.
 */
const CLEAR_TEXT: OfKinds<readonly string[]> = {
  ldap: ({ startTls, url, otherUrls = [] }) =>
    startTls || ![url, ...otherUrls].some((each) => isClear(each, 'ldap:'))
      ? []
      : ['source.url is ldap:// without startTls: password and people go in clear; set startTls: true'],
  scim: ({ url }) =>
    isClear(url, 'http:')
      ? ['source.url is http://: the token and people go over the network in clear; use https://']
      : [],
  sql: () => [],
  csv: () => [],
};

function isClear(url: string, protocol: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === protocol && !/^(localhost|127\..*|\[::1\])$/.test(parsed.hostname);
}
