import {
  detectVendor,
  VENDORS,
  type LdapVendor,
  type RootValues,
} from '../../../domain/directories/vendors.ts';
import type { VendorName } from '../../../domain/source-choices.ts';
import type { LdapConnection } from '../wire/connection.ts';
import { valuesIn } from '../wire/entry.ts';
import { ldapProblem } from '../wire/ldap-problems.ts';

/** What the server says about itself in its root entry (RFC 4512, section 5.1). */
const ASKED = [
  'objectClass',
  'vendorName',
  'vendorVersion',
  'supportedCapabilities',
  'subschemaSubentry',
  'namingContexts',
  'defaultNamingContext',
  'rootDomainNamingContext',
  'configurationNamingContext',
  'schemaNamingContext',
  'ipaTopologyPluginVersion',
] as const;

/** Reads the root entry. A server may hide it: then nothing is concluded. */
export async function readRoot(connection: LdapConnection): Promise<RootValues> {
  const entries = await connection.glimpse({
    base: '',
    attributes: ASKED,
    doing: 'looking at its root entry',
  });
  return (attribute) => entries.flatMap((entry) => valuesIn(entry, attribute));
}

/** The vendor of a directory, as the configuration names it or the root entry shows it; `null`: unknown. */
interface Chosen {
  readonly vendor: LdapVendor | null;
  /** The choice as a sentence. */
  readonly note: string;
}

/** Throws a `SourceError` if the file names a vendor and the server says that it is another one's. */
export function chooseVendor(named: VendorName | undefined, root: RootValues): Chosen {
  const found = detectVendor(root);
  if (named !== undefined && found !== null && ![named, ...VENDORS[named].also].includes(found))
    throw ldapProblem('ldap-other-vendor', { named, title: VENDORS[found].title, found });
  const name = named ?? found;
  const vendor = name === null ? null : VENDORS[name];
  const hint = found === null ? '' : `; source.vendor: ${found} would give defaults for filters and fields`;
  const by = named === undefined ? `by the root entry${hint}` : 'by source.vendor';
  return { vendor, note: `vendor: ${vendor?.title ?? 'none that is known'}, ${by}` };
}
