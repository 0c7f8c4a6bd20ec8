import type { ServerSettings } from '../wire/ldap-connection.ts';
import type { LdapReference } from '../terms/references.ts';

/** Ports with TLS from the start, beside the ports without it. */
const SECURE_PORTS: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['389', ''],
  ['3268', '3269'],
]);

/**
 * Returns how to ask the server behind a reference: with the same bind, and never in clear text where the
 * server that named it is asked with TLS.
 */
export function serverBehind(reference: LdapReference, from: ServerSettings): ServerSettings {
  const { host, port } = reference;
  // A reference without a host is one to the same server.
  if (host === '') return from;
  const own = new URL(from.url);
  if (reference.protocol === 'ldaps:') return { ...from, ...address('ldaps:', host, port), startTls: false };
  const secure = own.protocol === 'ldaps:' ? SECURE_PORTS.get(port) : undefined;
  if (secure !== undefined) return { ...from, ...address('ldaps:', host, secure), startTls: false };
  const startTls = from.startTls || own.protocol === 'ldaps:';
  return { ...from, ...address('ldap:', host, port), startTls };
}

function address(protocol: string, host: string, port: string): { readonly url: string } {
  return { url: `${protocol}//${host}${port === '' ? '' : `:${port}`}` };
}
