import { isUtf8 } from 'node:buffer';
import type { RootValues } from '../../../domain/directories/vendors.ts';

interface Ava {
  readonly type: string;
  readonly value: string;
}

/** A relative distinguished name: one pair of type and value, or several, sorted. */
type Rdn = readonly Ava[];

/**
 * Matches one `type=value` of RFC 4514, section 3, with what follows it. It takes more than the RFC, as
 * servers and people write more: blanks around everything, quoted values and `;` of RFC 1779, any escaped
 * character. Nothing is taken in two ways, blanks included, so that matching stays linear: those behind a plain value
 * are part of it until it is folded.
 */
const AVA =
  /\s*(?<type>[a-z][a-z0-9-]*|(?:oid\.)?\d+(?:\.\d+)*)\s*=\s*(?!\s)(?:"(?<quoted>(?:\\[^]|[^"\\])*)"\s*|#(?<hex>(?:[0-9a-f]{2})+)\s*|(?<plain>(?:\\(?:[0-9a-f]{2}|[^0-9a-f]|[0-9a-f](?![0-9a-f]))|[^\\,;+])*))(?<end>[,;+]|$)/iuy;

/** Names of types from RFC 4514, section 3, and the long names of the same types: one spelling for each. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...['2.5.4.3', 'commonname'].map((name) => [name, 'cn'] as const),
  ...['2.5.4.7', 'localityname'].map((name) => [name, 'l'] as const),
  ...['2.5.4.8', 'stateorprovincename'].map((name) => [name, 'st'] as const),
  ...['2.5.4.10', 'organizationname'].map((name) => [name, 'o'] as const),
  ...['2.5.4.11', 'organizationalunitname'].map((name) => [name, 'ou'] as const),
  ...['2.5.4.6', 'countryname'].map((name) => [name, 'c'] as const),
  ...['2.5.4.9', 'streetaddress'].map((name) => [name, 'street'] as const),
  ...['0.9.2342.19200300.100.1.25', 'domaincomponent'].map((name) => [name, 'dc'] as const),
  ...['0.9.2342.19200300.100.1.1', 'userid'].map((name) => [name, 'uid'] as const),
]);

/** Returns the parts of a DN from the entry up to the root, unescaped and folded; `null`: no DN. */
export function parseDn(text: string): readonly Rdn[] | null {
  const rdns: Rdn[] = [];
  if (text.trim() === '') return rdns;
  let avas: Ava[] = [];
  let end = ',';
  for (AVA.lastIndex = 0; end !== '';) {
    const groups = AVA.exec(text)?.groups;
    if (groups === undefined) return null;
    avas.push(toAva(groups));
    end = groups['end'] ?? '';
    if (end === '+') continue;
    rdns.push(avas.toSorted((a, b) => (spell(a) < spell(b) ? -1 : 1)));
    avas = [];
  }
  return rdns;
}

/**
 * Returns a DN in the spelling in which references are compared: RFC 4514 with lower-case types and values
 * (directories compare names without case), single blanks, NFC, and `\` only before special characters.
 * `null`: no DN.
 */
export function canonicalDn(text: string): string | null {
  const rdns = parseDn(text);
  return rdns === null ? null : rdns.map((rdn) => rdn.map(spell).join('+')).join(',');
}

/** Returns the DNs of the entry and of all above it, up to the empty one, in canonical spelling; empty: no DN. */
export function lineageOf(text: string): readonly string[] {
  const rdns = parseDn(text)?.map((rdn) => rdn.map(spell).join('+'));
  return rdns === undefined ? [] : [...rdns.map((_, index) => rdns.slice(index).join(',')), ''];
}

/** Returns the DN of the entry above, as it is spelled; `undefined`: none, or no DN. */
export function parentDn(text: string): string | undefined {
  AVA.lastIndex = 0;
  let end = '+';
  while (end === '+') end = AVA.exec(text)?.groups?.['end'] ?? '';
  const parent = end === '' ? '' : text.slice(AVA.lastIndex).trim();
  return parent === '' ? undefined : parent;
}

/** Returns the one of these values of an attribute by which the entry's own name (RDN) calls it. */
export function valueInRdn(dn: string, attribute: string, values: readonly string[]): string | undefined {
  const type = TYPE_NAMES.get(attribute.toLowerCase()) ?? attribute.toLowerCase();
  const named = parseDn(dn)?.[0]?.find((ava) => ava.type === type)?.value;
  return named === undefined ? undefined : values.find((value) => fold(value) === named);
}

/** Returns whether `dn` lies below `base` and is not the base itself. */
export function isBelow(dn: string, base: string): boolean {
  const top = canonicalDn(base);
  return top !== null && lineageOf(dn).slice(1).includes(top);
}

/** Returns whether `dn` is the base itself or lies below it. */
export function isWithin(dn: string, base: string): boolean {
  return isBelow(dn, base) || canonicalDn(dn) === canonicalDn(base);
}

function toAva(groups: Readonly<Record<string, string | undefined>>): Ava {
  const type = (groups['type'] ?? '').toLowerCase().replace(/^oid\./, '');
  const { quoted, hex, plain } = groups;
  const value = hex === undefined ? unescape(quoted ?? plain ?? '') : berText(hex);
  return { type: TYPE_NAMES.get(type) ?? type, value: fold(value) };
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /(?<pairs>(?:\\[0-9a-f]{2})+)|\\(?<char>[^])/giu,
    (match, pairs?: string, char?: string) =>
      pairs === undefined ? (char ?? '') : utf8Of(pairs.replaceAll('\\', ''), match),
  );
}

/**
 * Returns the text of a value given as `#…`, its BER encoding: a string type with a short length gives its
 * text, anything else stays hex.
 */
function berText(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const isText = [0x04, 0x0c, 0x13, 0x16].includes(bytes[0] ?? 0) && bytes[1] === bytes.length - 2;
  return isText ? utf8Of(hex.slice(4), `#${hex}`) : `#${hex}`;
}

function utf8Of(hex: string, otherwise: string): string {
  const bytes = Buffer.from(hex, 'hex');
  return isUtf8(bytes) ? bytes.toString('utf8') : otherwise;
}

function fold(value: string): string {
  return value.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

function spell({ type, value }: Ava): string {
  const escaped = value.replaceAll(/[\\",+;<>]/g, (char) => `\\${char}`);
  return `${type}=${escaped.replace(/^#/, '\\#')}`;
}

/** Returns the DN, in canonical spelling, that a reference to another server leads to (RFC 4516); `null`: to none. */
export function dnBehind(uri: string): string | null {
  if (!/^ldaps?:/iu.test(uri) || !URL.canParse(uri)) return null;
  return canonicalDn(decoded(new URL(uri).pathname.slice(1)) ?? '');
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
