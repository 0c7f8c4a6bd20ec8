import type { RootValues } from '../../../../domain/directories/vendors.ts';
import { isBelow, canonicalDn } from '../../terms/dn.ts';

/** Returns the part of the directory that has an entry, as the root entry calls it; `null`: it does not tell. */
export function suffixOf(dn: string, root: RootValues): string | null {
  const all = root('namingContexts').filter(
    (one) => canonicalDn(one) === canonicalDn(dn) || isBelow(dn, one),
  );
  return all.toSorted((one, other) => other.length - one.length)[0] ?? null;
}
