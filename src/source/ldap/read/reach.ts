import { AndFilter, NotFilter, type Filter } from 'ldapts';
import type { SourcePart } from '../../../domain/reading/source-part.ts';
import type { LdapSearch, LdapSettings } from '../settings/ldap-settings.ts';
import type { Dialect } from '../../mapping/rules/scope.ts';
import { canonicalDn, lineageOf, valueInRdn } from '../wire/dn.ts';
import { ldapMistake, parseFilter } from '../wire/ldap-problems.ts';

/** Which entries of the directory one part is made of. */
export interface Reach extends Pick<LdapSearch, 'bases' | 'scope'> {
  readonly part: SourcePart['part'];
  /** Path in the configuration, e.g. `source.units`. */
  readonly path: string;
  /** Filter for the server. */
  readonly filter: Filter;
  /** Filters as the configuration has them; the first is that of the part, the others exclude. */
  readonly filters: readonly { readonly filter: Filter; readonly place: string }[];
  /** What is left out; `filter` is `null` for a DN. */
  readonly exclusions: readonly {
    readonly text: string;
    readonly place: string;
    readonly filter: Filter | null;
  }[];
  /**
   * Returns what keeps an entry that was found out of the part: the place of an exclusion, or the base that it is;
   * `null`: nothing does. `null` in place of the function: each entry belongs to the part.
   */
  readonly leftOutBy: ((dn: string) => string | null) | null;
}

/** Returns what a part reads; `null`: another source has it. Throws a `ConfigError`. */
export function reachOf(settings: LdapSettings, part: 'units' | 'people' | 'rows'): Reach | null {
  const search = settings[part];
  if (search === undefined) return null;
  const path = 'path' in search ? search.path : `source.${part}`;
  const own = { filter: parseFilter(`${path}.filter`, search.filter), place: `${path}.filter` };
  const exclusions = (search.exclude ?? []).map((text, index) => {
    const place = `${path}.exclude[${index}]`;
    return { text, place, filter: text.startsWith('(') ? parseFilter(place, text) : null };
  });
  const out = exclusions.flatMap(({ filter, place }) => (filter === null ? [] : [{ filter, place }]));
  const dns = exclusions.flatMap(({ text, place, filter }) =>
    filter === null ? [[requireDn(text, place), place] as const] : [],
  );
  const filters = [own.filter, ...out.map(({ filter }) => new NotFilter({ filter }))];
  return {
    part: part === 'rows' ? 'partners' : part,
    path,
    bases: searchedBases(path, search),
    scope: search.scope,
    filter: out.length === 0 ? own.filter : new AndFilter({ filters }),
    filters: [own, ...out],
    exclusions,
    leftOutBy: leavingOut(part === 'units' ? topsOf(search) : new Set(), new Map(dns)),
  };
}

/** Returns the bases to search: what lies below another one is read with it. Throws a `ConfigError`. */
function searchedBases(path: string, search: LdapSearch): readonly string[] {
  const tops = topsOf(search);
  const canonical = canonicalBases(path, search);
  return search.bases.filter((_, index) => {
    const dn = canonical[index] ?? '';
    return canonical.indexOf(dn) === index && (search.scope === 'one' || tops.has(dn));
  });
}

/** Returns the bases of a part in canonical spelling, in the order of the file. Throws a `ConfigError`. */
export const canonicalBases = (path: string, search: LdapSearch | undefined): readonly string[] =>
  (search?.bases ?? []).map((text) => {
    const canonical = canonicalDn(text);
    if (canonical === null) throw ldapMistake('ldap-base', { path, dn: JSON.stringify(text) });
    return canonical;
  });

/** Returns the bases that no search of another one finds, in canonical spelling: their entries are no units. */
function topsOf(search: LdapSearch | undefined): ReadonlySet<string> {
  const lines = (search?.bases ?? []).map((base) => lineageOf(base));
  const all = new Set(lines.map(([base = '']) => base));
  const isFound = (line: readonly string[]): boolean =>
    line.slice(1, search?.scope === 'one' ? 2 : undefined).some((one) => all.has(one));
  return new Set(lines.filter((line) => !isFound(line)).map(([base = '']) => base));
}

/** @param excluded place of each exclusion by its DN */
function leavingOut(tops: ReadonlySet<string>, excluded: ReadonlyMap<string, string>): Reach['leftOutBy'] {
  if (tops.size === 0 && excluded.size === 0) return null;
  return (dn) => {
    const line = lineageOf(dn);
    const [own = dn] = line;
    if (tops.has(own)) return own;
    const by = line.find((one) => excluded.has(one));
    return by === undefined ? null : (excluded.get(by) ?? null);
  };
}

function requireDn(text: string, place: string): string {
  const dn = canonicalDn(text);
  if (dn === null || dn === '') throw ldapMistake('ldap-exclude', { place, text: JSON.stringify(text) });
  return dn;
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
  const roots = new Set([...tops, ...[...topsOf(settings.people)].filter((dn) => !isUnit(dn))]);
  return {
    foldName: (name) => name.toLowerCase(),
    canonicalRef: remembering((text) => (text.includes('=') ? (canonicalDn(text) ?? text) : text)),
    isTop: (ref) => tops.has(ref),
    isRoot: (ref) => roots.has(ref),
    defaultRefs: (id) => ['dn', id],
    defaultParent: 'parentDn',
    preferred: valueInRdn,
    leaveOut: (name) => `by the filter${name === null ? '' : `, with (${name}=*)`}`,
  };
}

/** Number of spellings that are remembered: references repeat, since the parents of all people are few units. */
const REMEMBERED = 50_000;

/** Returns the same function, which computes what it is asked for again only once. */
function remembering(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}
