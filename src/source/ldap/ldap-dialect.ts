import { ConfigError } from '../../domain/errors.ts';
import type { LdapSettings } from '../../domain/settings.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import { canonicalDn, isBelow } from './dn.ts';

/**
 * Number of spellings that are remembered: references repeat, since the parents of all people are few units.
 */
const REMEMBERED = 50_000;

/**
 * Returns the dialect of a directory: names match in any case, and references that are DNs are compared
 * parsed.
 */
export function ldapDialect(settings: LdapSettings): Dialect {
  const units = canonicalBase('source.units', settings.units.base);
  const people = canonicalBase('source.people', settings.people.base);
  const roots = new Set(isBelow(people, units) ? [units] : [units, people]);
  return {
    foldName: (name) => name.toLowerCase(),
    canonicalRef: remembering(canonicalRef),
    isTop: (ref) => ref === units,
    isRoot: (ref) => roots.has(ref),
    defaultRefs: (id) => ['dn', id],
    defaultParent: 'parentDn',
    leaveOut: (name) => `by the filter${name === null ? '' : `, with (${name}=*)`}`,
  };
}

export function canonicalBase(path: string, base: string): string {
  const canonical = canonicalDn(base);
  if (canonical === null) throw new ConfigError(`${path}.base: ${JSON.stringify(base)} is no DN (RFC 4514).`);
  return canonical;
}

/** Returns the canonical spelling of a value that parses as a DN; anything else stays as it is. */
function canonicalRef(text: string): string {
  return text.includes('=') ? (canonicalDn(text) ?? text) : text;
}

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
