import {
  AndFilter,
  EqualityFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SearchRequest,
  type SearchEntry,
} from 'ldapts';
import {
  detectVendor,
  VENDORS,
  type LdapVendor,
  type RootValues,
} from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import { VENDOR_NAMES, type VendorName } from '../../../domain/source-choices.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
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

const LOOK_SECONDS = 10;

/** Reads the root entry. A server may hide it: then nothing is concluded. */
export async function readRoot(connection: LdapConnection): Promise<RootValues> {
  const request = new SearchRequest({
    messageId: -1,
    baseDN: '',
    scope: 'base',
    filter: new PresenceFilter({ attribute: 'objectClass' }),
    attributes: [...ASKED],
    timeLimit: LOOK_SECONDS,
  });
  const task = { server: connection.server, path: 'source', doing: 'looking at its root entry' };
  try {
    return rootValues((await connection.ask(request, task)).entries);
  } catch (error) {
    if (error instanceof SourceError && connection.isAlive) return rootValues([]);
    throw error;
  }
}

function rootValues(entries: readonly SearchEntry[]): RootValues {
  const all = entries.flatMap(({ attributes }) => attributes);
  const values = new Map(all.map(({ type, values: texts }) => [type.toLowerCase(), texts.map(String)]));
  return (attribute) => values.get(attribute.toLowerCase()) ?? [];
}

/** Whose directory is read, as the file names it or the root entry tells; `null`: nobody's that is known. */
interface Chosen {
  readonly vendor: LdapVendor | null;
  readonly name: VendorName | null;
  /** The choice as a sentence. */
  readonly note: string;
}

/** Throws a `SourceError` where the file names a vendor and the server says that it is another one's. */
export function chooseVendor({ vendor: choice = 'auto' }: LdapSettings, root: RootValues): Chosen {
  const found = detectVendor(root);
  const named = VENDOR_NAMES.find((name) => name === choice);
  if (named !== undefined) return { vendor: VENDORS[named], name: named, note: namedNote(named, found) };
  if (choice === 'generic') return { vendor: null, name: null, note: 'vendor: generic (source.vendor)' };
  if (found === null) return { vendor: null, name: null, note: 'vendor: not told by the root entry' };
  const gives = `source.vendor: ${found} would give defaults for filters and fields`;
  return {
    vendor: VENDORS[found],
    name: found,
    note: `vendor: ${VENDORS[found].title}, by the root entry; ${gives}`,
  };
}

function namedNote(named: VendorName, found: VendorName | null): string {
  const { title, also } = VENDORS[named];
  if (found === null) return `vendor: ${title} (source.vendor); the root entry does not tell`;
  if (found === named) return `vendor: ${title} (source.vendor), as the root entry says`;
  const real = VENDORS[found].title;
  if (also.includes(found)) return `vendor: ${title} (source.vendor); the root entry says ${real}`;
  throw new SourceError(
    `source.vendor: the configuration says ${named}, but the server says that it is ${real}; nothing was read. ` +
      `Write vendor: ${found}, or vendor: generic with every filter and field in the file.`,
  );
}

/** Ports of the global catalog, which has all entries of a forest with a part of their attributes. */
const PORTS: ReadonlySet<string> = new Set(['3268', '3269']);

export function isGlobalCatalog(url: string): boolean {
  return PORTS.has(new URL(url).port);
}

/**
 * Returns which of these attributes a global catalog does not hold, in lower case, as the schema of the
 * forest tells; `null`: it may not be read.
 */
export async function notInCatalog(
  connection: LdapConnection,
  root: RootValues,
  names: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const [base] = root('schemaNamingContext');
  if (names.length === 0) return new Set();
  if (base === undefined) return null;
  const request = new SearchRequest({
    messageId: -1,
    baseDN: base,
    scope: 'one',
    filter: filterOf(names),
    attributes: ['lDAPDisplayName'],
    timeLimit: LOOK_SECONDS,
  });
  const task = { server: connection.server, path: 'source', doing: 'looking at the schema of the forest' };
  try {
    const { entries } = await connection.ask(request, task);
    const found = entries.flatMap(({ attributes }) =>
      attributes.flatMap(({ values }) => values.map((name) => String(name).toLowerCase())),
    );
    return new Set(found);
  } catch (error) {
    if (error instanceof SourceError && connection.isAlive) return null;
    throw error;
  }
}

function filterOf(names: readonly string[]): AndFilter {
  const isHeld = new EqualityFilter({ attribute: 'isMemberOfPartialAttributeSet', value: 'TRUE' });
  const named = names.map((value) => new EqualityFilter({ attribute: 'lDAPDisplayName', value }));
  return new AndFilter({ filters: [new OrFilter({ filters: named }), new NotFilter({ filter: isHeld })] });
}
