import { AndFilter, NotFilter, type Filter } from 'ldapts';
import { ConfigError } from '../../../domain/errors.ts';
import type { SourcePart } from '../../../domain/reading/source-part.ts';
import type { LdapBase, LdapSearch, LdapSettings } from '../../../domain/source-settings.ts';
import { canonicalDn, isBelow, lineageOf, parseDn, valueInRdn } from '../wire/dn.ts';
import { parseFilter } from '../wire/ldap-error.ts';
import type { Dialect } from '../../mapping/rules/scope.ts';

/** Which entries of the directory one part is made of. */
export interface Reach {
  readonly part: SourcePart['part'];
  /** Path in the configuration, e.g. `source.units`. */
  readonly path: string;
  /** Where to search, one after the other. */
  readonly bases: readonly LdapBase[];
  /** Filter for the server. */
  readonly filter: Filter;
  /** Filters as the configuration has them. */
  readonly filters: readonly { readonly filter: Filter; readonly place: string }[];
  /** What is left out; `filter` is `null` for a DN. */
  readonly exclusions: readonly {
    readonly text: string;
    readonly place: string;
    readonly filter: Filter | null;
  }[];
  /** Returns whether an entry that the search with this number delivered belongs to the part. */
  keeps(dn: string, search: number): boolean;
}

/** Returns what a part reads; `null`: another source has it. */
export function reachOf(settings: LdapSettings, part: 'units' | 'people' | 'rows'): Reach | null {
  const asked = settings[part];
  if (asked === undefined) return null;
  const path = 'path' in asked ? asked.path : `source.${part}`;
  const { filter, exclude = [] } = asked;
  const bases = basesOf(asked);
  const own = { filter: parseFilter(`${path}.filter`, filter), place: `${path}.filter` };
  const exclusions = exclude.map((text, index) => {
    const place = `${path}.exclude[${index}]`;
    return { text, place, filter: text.startsWith('(') ? parseFilter(place, text) : null };
  });
  const out = exclusions.flatMap(({ filter: one, place }) => (one === null ? [] : [{ filter: one, place }]));
  const dns = exclusions
    .filter((one) => one.filter === null)
    .map(({ text, place }) => requireDn(text, place));
  const tops = part === 'units' ? canonicalTops(asked) : new Set<string>();
  return {
    part: part === 'rows' ? 'partners' : part,
    path,
    bases,
    filter: without(own.filter, out),
    filters: [own, ...out],
    exclusions,
    keeps: keeper(bases, { tops, dns }),
  };
}

/** Returns the bases of a part as the file has them; none if another source has the part. */
export function allBases(search: LdapSearch | undefined): readonly LdapBase[] {
  if (search === undefined) return [];
  const { base, scope, moreBases = [] } = search;
  return [{ base, scope }, ...moreBases];
}

/** Returns the bases to search: those that lie in the subtree of another one are read with it. */
function basesOf(search: LdapSearch): readonly LdapBase[] {
  const all = allBases(search);
  return all.filter((one, index) => {
    const isAgain = all.some(
      (other, at) => sameBase(one, other) && (other.scope === one.scope ? at < index : other.scope === 'sub'),
    );
    return !isAgain && !all.some((other) => other.scope === 'sub' && isBelow(one.base, other.base));
  });
}

function sameBase(one: LdapBase, other: LdapBase): boolean {
  return (canonicalDn(one.base) ?? one.base) === (canonicalDn(other.base) ?? other.base);
}

/** Returns the bases that no other base holds, in canonical spelling: their entries are no records. */
function canonicalTops(search: LdapSearch): ReadonlySet<string> {
  const bases = basesOf(search);
  const tops = bases.filter(({ base }) => !bases.some((other) => covers(other, base)));
  return new Set(tops.map(({ base }) => canonicalDn(base) ?? base));
}

/** Returns whether a search delivers this entry, apart from its own base. */
function covers({ base, scope }: LdapBase, dn: string): boolean {
  if (!isBelow(dn, base)) return false;
  return scope === 'sub' || depthOf(dn) === depthOf(base) + 1;
}

const depthOf = (dn: string): number => parseDn(dn)?.length ?? 0;

interface Left {
  /** Entries that are no records, in canonical spelling. */
  readonly tops: ReadonlySet<string>;
  /** Excluded subtrees. */
  readonly dns: readonly string[];
}

function keeper(bases: readonly LdapBase[], { tops, dns }: Left): Reach['keeps'] {
  const overlap = bases.some((one) => bases.some((other) => one !== other && isBelow(one.base, other.base)));
  if (tops.size === 0 && dns.length === 0 && !overlap) return () => true;
  const roots = new Set(dns.map((dn) => canonicalDn(dn) ?? dn));
  const isOut = (dn: string): boolean => roots.size > 0 && lineageOf(dn).some((one) => roots.has(one));
  return (dn, search) => {
    if (tops.has(canonicalDn(dn) ?? dn) || isOut(dn)) return false;
    return !overlap || !bases.slice(0, search).some((earlier) => covers(earlier, dn));
  };
}

function without(filter: Filter, out: readonly { readonly filter: Filter }[]): Filter {
  if (out.length === 0) return filter;
  return new AndFilter({ filters: [filter, ...out.map((one) => new NotFilter({ filter: one.filter }))] });
}

function requireDn(text: string, place: string): string {
  const dn = canonicalDn(text);
  if (dn !== null && dn !== '') return text;
  throw new ConfigError(
    `${place}: ${JSON.stringify(text)} is neither a DN (RFC 4514) nor a filter in brackets; write one of them.`,
  );
}

/**
 * Returns the dialect of a directory: names match in any case, and references that are DNs are compared
 * parsed.
 */
export function ldapDialect(settings: LdapSettings): Dialect {
  const tops = topsOf(settings.units);
  const isUnit = (dn: string): boolean =>
    lineageOf(dn)
      .slice(1)
      .some((one) => tops.has(one));
  const people = [...topsOf(settings.people)].filter((dn) => !isUnit(dn));
  const roots = new Set([...tops, ...people]);
  return {
    foldName: (name) => name.toLowerCase(),
    canonicalRef: remembering(canonicalRef),
    isTop: (ref) => tops.has(ref),
    isRoot: (ref) => roots.has(ref),
    defaultRefs: (id) => ['dn', id],
    defaultParent: 'parentDn',
    preferred: valueInRdn,
    leaveOut: (name) => `by the filter${name === null ? '' : `, with (${name}=*)`}`,
  };
}

/** Returns the tops of a part that this directory has. */
const topsOf = (search: LdapSearch | undefined): ReadonlySet<string> =>
  search === undefined ? new Set() : canonicalTops(search);

/** Returns the bases of a part in canonical spelling, in the order of the file. Throws a `ConfigError`. */
export function canonicalBases(path: string, search: LdapSearch | undefined): readonly string[] {
  return allBases(search).map(({ base: text }) => {
    const canonical = canonicalDn(text);
    if (canonical === null)
      throw new ConfigError(`${path}.base: ${JSON.stringify(text)} is no DN (RFC 4514).`);
    return canonical;
  });
}

/** Returns the canonical spelling of a value that parses as a DN; anything else stays as it is. */
function canonicalRef(text: string): string {
  return text.includes('=') ? (canonicalDn(text) ?? text) : text;
}

/**
 * Number of spellings that are remembered: references repeat, since the parents of all people are few units.
 */
const REMEMBERED = 50_000;

/** Returns the same function, which computes what it is asked for again only once. */
function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}
