import {
  detectVendor,
  VENDORS,
  type LdapVendor,
  type RootValues,
} from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import { VENDOR_NAMES, type VendorName } from '../../../domain/source-choices.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { valuesIn } from './entry-values.ts';
import type { LdapConnection } from './ldap-connection.ts';

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
  const asked = { base: '', attributes: ASKED, seconds: 10, doing: 'looking at its root entry' };
  const entries = await connection.glimpse(asked);
  return (attribute) => entries.flatMap((entry) => valuesIn(entry, attribute));
}

/** The vendor of the directory, as the configuration names it or the root entry shows it; `null`: unknown. */
interface Chosen {
  readonly vendor: LdapVendor | null;
  readonly name: VendorName | null;
  /** The choice as a sentence. */
  readonly note: string;
}

/** Throws a `SourceError` if the file names a vendor and the server says that it is another one's. */
export function chooseVendor({ vendor: choice = 'auto' }: LdapSettings, root: RootValues): Chosen {
  const found = detectVendor(root);
  const named = VENDOR_NAMES.find((name) => name === choice) ?? null;
  if (named !== null && found !== null && ![named, ...VENDORS[named].also].includes(found))
    throw new SourceError(
      `source.vendor: the configuration says ${named}, but the server says that it is ${VENDORS[found].title}; nothing was ` +
        `read. Write vendor: ${found}, or vendor: generic with every filter and field in the file.`,
    );
  const name = choice === 'auto' ? found : named;
  const vendor = name === null ? null : VENDORS[name];
  const gives = found === null ? '' : `; source.vendor: ${found} would give defaults for filters and fields`;
  const by = choice === 'auto' ? `by the root entry${gives}` : 'by source.vendor';
  return { vendor, name, note: `vendor: ${vendor?.title ?? 'none that is known'}, ${by}` };
}
