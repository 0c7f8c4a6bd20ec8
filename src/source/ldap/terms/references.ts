import type { RootValues } from '../../../domain/directories/vendors.ts';
import { canonicalDn } from './dn.ts';

/** A reference to a part of the directory on another server (RFC 4516). */
export interface LdapReference {
  readonly uri: string;
  readonly protocol: 'ldap:' | 'ldaps:';
  readonly host: string;
  /** Empty: the usual one. */
  readonly port: string;
  /** Empty: not said. */
  readonly dn: string;
  readonly scope: 'base' | 'one' | 'sub' | null;
  /** A filter in its place; empty: not said. */
  readonly filter: string;
}

const SCOPES: ReadonlySet<string> = new Set(['base', 'one', 'sub']);

/** Reads `ldap://host:port/dn?attributes?scope?filter`; `null`: it is no such URL. */
export function parseReference(uri: string): LdapReference | null {
  if (!URL.canParse(uri)) return null;
  const { protocol, hostname, port, pathname, search } = new URL(uri);
  if (protocol !== 'ldap:' && protocol !== 'ldaps:') return null;
  const [, scope = '', filter = ''] = search.slice(1).split('?');
  const dn = decoded(pathname.slice(1));
  if (dn === null || canonicalDn(dn) === null) return null;
  const known = SCOPES.has(scope.toLowerCase()) ? (scope.toLowerCase() as 'base' | 'one' | 'sub') : null;
  return { uri, protocol, host: hostname, port, dn, scope: known, filter: decoded(filter) ?? '' };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Returns the parts of an Active Directory that a domain controller refers to when it is asked from the top
 * of its domain, in canonical spelling: none of them has people or units of the domain ([MS-ADTS],
 * 3.1.1.1.5). Empty for any other directory.
 */
export function partitionsOf(root: RootValues): ReadonlySet<string> {
  const configuration = root('configurationNamingContext');
  if (configuration.length === 0) return new Set();
  const zones = [
    ...root('defaultNamingContext').map((dn) => `DC=DomainDnsZones,${dn}`),
    ...root('rootDomainNamingContext').map((dn) => `DC=ForestDnsZones,${dn}`),
  ];
  const all = [...configuration, ...root('schemaNamingContext'), ...zones];
  return new Set(all.flatMap((dn) => canonicalDn(dn) ?? []));
}
