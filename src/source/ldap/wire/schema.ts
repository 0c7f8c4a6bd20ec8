import { FilterParser, PresenceFilter } from 'ldapts';
import { type RootValues } from '../../../domain/directories/vendors.ts';
import type { LdapSearch } from '../settings/ldap-settings.ts';
import type { LdapConnection } from './connection.ts';
import { valuesIn } from './entry.ts';

const LOOKING = { atMost: 1, doing: 'looking at its schema' };

/**
 * Reads the server's schema from the place that its root entry names (RFC 4512, section 4.4). A server may
 * hide it: then nothing is concluded.
 */
export async function readSchema(connection: LdapConnection, root: RootValues): Promise<DirectorySchema> {
  const [place] = root('subschemaSubentry');
  if (place === undefined) return UNREAD_SCHEMA;
  const filter = FilterParser.parseString('(objectClass=subschema)');
  const entries = await connection.glimpse({
    base: place,
    filter,
    attributes: ['attributeTypes'],
    ...LOOKING,
  });
  return parseSchema(entries.flatMap((entry) => valuesIn(entry, 'attributeTypes'))) ?? UNREAD_SCHEMA;
}

/** Returns whether any entry has this attribute: a schema need not be complete, as those of proxies are not. */
export async function isAnywhere(
  connection: LdapConnection,
  attribute: string,
  { bases, scope }: Pick<LdapSearch, 'bases' | 'scope'>,
): Promise<boolean> {
  const filter = new PresenceFilter({ attribute });
  for (const base of bases) {
    const entries = await connection.glimpse({ base, scope, filter, attributes: [attribute], ...LOOKING });
    if (entries.some(({ attributes }) => attributes.length > 0)) return true;
  }
  return false;
}

/** Names of attributes as one server knows them (RFC 4512, section 4.1.2). */
export interface DirectorySchema {
  /** Every name, as the server writes it. */
  readonly names: readonly string[];
  knows(type: string): boolean;
  /** Returns the same spelling for all names of an attribute, in lower case, with its options. */
  keyOf(type: string): string;
  /** Returns whether values may be other bytes than text in UTF-8; `null`: it does not tell. */
  isBinary(type: string): boolean | null;
}

/** Schema if none can be read: every name may be an attribute, and has no other names. */
export const UNREAD_SCHEMA: DirectorySchema = {
  names: [],
  knows: () => true,
  keyOf: (type) => type.toLowerCase(),
  isBinary: () => null,
};

/** Names that are ours. 389 Directory Server calls `distinguishedName` also `dn`. */
const OURS: ReadonlySet<string> = new Set(['dn', 'parentdn']);

/**
 * Attributes that servers compute for every entry; some leave them out of their schema. `dn` and `parentDn`
 * are ours.
 */
const OPERATIONAL: ReadonlySet<string> = new Set(
  (
    'dn parentdn objectclass entryuuid entrydn entrycsn entryid memberof ismemberof createtimestamp ' +
    'modifytimestamp creatorsname modifiersname hassubordinates numsubordinates structuralobjectclass ' +
    'subschemasubentry nsuniqueid nsrole nsroledn nsaccountlock pwdaccountlockedtime pwdchangedtime'
  ).split(' '),
);

/** Reads the schema from the values of `attributeTypes`; `null`: none of them is a description. */
export function parseSchema(descriptions: readonly string[]): DirectorySchema | null {
  const keys = new Map<string, string>();
  const binary = new Set<string>();
  const names: string[] = [];
  for (const description of descriptions) {
    const found = namesOf(description);
    const [first] = found;
    if (first === undefined) continue;
    names.push(...found.slice(1));
    const key = (found[1] ?? first).toLowerCase();
    for (const name of found) if (!OURS.has(name.toLowerCase())) keys.set(name.toLowerCase(), key);
    if (hasBytes(description)) binary.add(key);
  }
  if (keys.size === 0) return null;
  const keyOf = (base: string): string => keys.get(base) ?? base;
  return {
    names,
    isBinary: (type) => (keys.has(baseOf(type)) ? binary.has(keyOf(baseOf(type))) : null),
    knows: (type) => keys.has(baseOf(type)) || OPERATIONAL.has(baseOf(type)),
    keyOf: (type) => [keyOf(baseOf(type)), ...optionsOf(type)].join(';'),
  };
}

/**
 * Syntaxes of bytes (RFC 4517, section 3.3, and RFC 2252, section 4.3.2): audio, binary, certificates, fax, JPEG,
 * octets.
 */
const BYTES: ReadonlySet<string> = new Set(['4', '5', '8', '9', '10', '23', '28', '40']);

/** Returns whether the syntax of an attribute is one of bytes; one that is not named is that of text. */
function hasBytes(description: string): boolean {
  const number = /\sSYNTAX\s+'?1\.3\.6\.1\.4\.1\.1466\.115\.121\.1\.(?<number>\d+)/iu.exec(
    description,
  )?.groups;
  return BYTES.has(number?.['number'] ?? '');
}

const DESCRIPTION = /^\s*\(\s*(?<oid>[^\s()]+)(?:.*?\sNAME\s+(?:'(?<name>[^']+)'|\((?<several>[^)]*)\)))?/isu;

/** Returns the numeric identifier, then the names: `( 2.5.4.4 NAME ( 'sn' 'surname' ) … )`. */
function namesOf(description: string): readonly string[] {
  const { oid, name, several } = DESCRIPTION.exec(description)?.groups ?? {};
  if (oid === undefined) return [];
  const quoted = [...(several ?? '').matchAll(/'([^']+)'/gu)].flatMap(([, each]) => each ?? []);
  return [oid, ...(name === undefined ? [] : [name]), ...quoted];
}

/**
 * Returns the name without options, as in `cn;lang-de` or `userCertificate;binary` (RFC 4512, section 2.5).
 */
function baseOf(type: string): string {
  return (type.split(';', 1)[0] ?? type).trim().toLowerCase();
}

function optionsOf(type: string): readonly string[] {
  return type.toLowerCase().split(';').slice(1).toSorted();
}
