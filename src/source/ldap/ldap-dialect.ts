import { ConfigError } from '../../domain/errors.ts';
import type { LdapSearch, LdapSettings } from '../../domain/source-settings.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import { canonicalDn, lineageOf, valueInRdn } from './terms/dn.ts';
import { remembering } from './terms/remembering.ts';
import { canonicalTops } from './read/reach.ts';

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
export function canonicalBases(path: string, { base, moreBases = [] }: LdapSearch): readonly string[] {
  return [base, ...moreBases.map((more) => more.base)].map((text) => {
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
