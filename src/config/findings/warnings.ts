import type { Settings, SourceSettings } from '../../domain/settings.ts';

/** What is allowed and yet worth a line in the log at every start. */
export function warningsOf({ service, source }: Settings): readonly string[] {
  return [
    ...insecureWarning(source),
    ...clearTextWarnings(source),
    ...(isClear(service.baseUrl, 'http:')
      ? ['service.baseUrl is http://: the token goes over the network in clear; use https://']
      : []),
  ];
}

function insecureWarning({ tls }: SourceSettings): readonly string[] {
  if (!tls.insecure) return [];
  return ['source.tls.insecure is true: anybody in between can pose as the source; use tls.caFile instead'];
}

function clearTextWarnings(source: SourceSettings): readonly string[] {
  if (source.type !== 'ldap' || source.startTls || !isClear(source.url, 'ldap:')) return [];
  return ['source.url is ldap:// without startTls: password and people go in clear; set startTls: true'];
}

function isClear(url: string, protocol: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === protocol && !/^(localhost|127\..*|\[::1\])$/.test(parsed.hostname);
}
