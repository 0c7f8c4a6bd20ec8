import { AndFilter, EqualityFilter, OrFilter } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { Exclusion } from '../../../domain/reading/source-part.ts';
import { lookAt, type Look } from './look-at.ts';
import { canonicalDn, isBelow } from '../terms/dn.ts';
import { UnansweredError } from '../wire/ldap-error.ts';
import type { Course } from './course.ts';
import type { Reach } from './reach.ts';

/** Looks for each exclusion of a part whether its entry is there or in a group, or its filter holds for any entry of the part. */
export async function matchedExclusions(
  { exclusions, filters, bases }: Reach,
  course: Course,
): Promise<readonly Exclusion[]> {
  const found: Exclusion[] = [];
  const [own] = filters;
  for (const { text, place, filter } of exclusions) {
    const looks: readonly Look[] =
      filter === null
        ? [...looksForEntry(text, bases), ...looksForMember(text, course)]
        : bases.map((base) => ({
            ...base,
            ...BARE,
            filter: own === undefined ? filter : new AndFilter({ filters: [own.filter, filter] }),
          }));
    found.push({ place, text, isMatched: await isAnyThere(looks, course) });
  }
  return found;
}

const BARE = { attributes: ['1.1'] } as const;

/** Returns where to look for an entry; nowhere where no base has to do with it. */
const looksForEntry = (dn: string, bases: Reach['bases']): readonly Look[] =>
  bases.some(({ base }) => areInLine(dn, base)) ? [{ base: dn, scope: 'base', ...BARE }] : [];

/** Returns where to look for groups that name an entry, which may be gone: excluding it lets go of it. */
function looksForMember(dn: string, { settings, directory }: Course): readonly Look[] {
  if (settings.units?.members === undefined && settings.people?.memberOf === undefined) return [];
  const filters = ['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn }));
  const filter = new OrFilter({ filters });
  return directory.root('namingContexts').map((base) => ({ base, scope: 'sub', filter, ...BARE }));
}

/** Returns whether one of the entries is above the other, or both are the same. */
const areInLine = (one: string, other: string): boolean =>
  canonicalDn(one) === canonicalDn(other) || isBelow(one, other) || isBelow(other, one);

/** Returns whether a look shows an entry. One that the server refuses, or refers elsewhere, says nothing against it. */
async function isAnyThere(looks: readonly Look[], course: Course): Promise<boolean> {
  for (const look of looks) {
    try {
      if ((await lookAt(course, look)).length > 0) return true;
    } catch (error) {
      if (!(error instanceof SourceError) || error instanceof UnansweredError) throw error;
      return true;
    }
  }
  return false;
}
