import { AndFilter } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { Exclusion } from '../../../domain/reading/source-part.ts';
import { lookAt, type Look } from './look-at.ts';
import { canonicalDn, isBelow } from '../terms/dn.ts';
import { UnansweredError } from '../wire/ldap-error.ts';
import type { Course } from './course.ts';
import type { Reach } from './reach.ts';

/** Looks for each exclusion of a part whether its entry is there, or its filter holds for any entry of the part. */
export async function matchedExclusions(
  { exclusions, filters, bases }: Reach,
  course: Course,
): Promise<readonly Exclusion[]> {
  const found: Exclusion[] = [];
  const [own] = filters;
  for (const { text, place, filter } of exclusions) {
    const looks: readonly Look[] =
      filter === null
        ? [{ base: text, scope: 'base', attributes: ['1.1'] }]
        : bases.map((base) => ({
            ...base,
            filter: own === undefined ? filter : new AndFilter({ filters: [own.filter, filter] }),
            attributes: ['1.1'],
          }));
    const isInReach = filter !== null || bases.some(({ base }) => areInLine(text, base));
    found.push({ place, text, isMatched: isInReach && (await isAnyThere(looks, course)) });
  }
  return found;
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
