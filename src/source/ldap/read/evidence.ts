import { AndFilter, type Filter } from 'ldapts';
import { SourceError } from '../../../domain/errors.ts';
import type { BaseSize, Exclusion, SourcePart } from '../../../domain/reading/source-part.ts';
import type { SourceEvidence } from '../../../domain/reading/source.ts';
import { lookAt, type Course } from './course.ts';
import type { Directory } from './open-directory.ts';
import type { Reach } from './reach.ts';
import type { Groups } from '../groups/groups.ts';
import { canonicalDn, isBelow, isWithin } from '../wire/dn.ts';
import { UnansweredError } from '../wire/ldap-problems.ts';
import { newProgress, type SearchProgress } from '../wire/paged-search.ts';

/** What one part of a read has brought so far besides its records. */
export class Tally {
  readonly progress: SearchProgress = newProgress();
  /** Number of records that each exclusion of a DN keeps out, by its place. */
  readonly leftOut = new Map<string, number>();
  readonly #bases: { readonly base: string; records: number }[];

  constructor(bases: readonly string[]) {
    this.#bases = bases.map((base) => ({ base: canonicalDn(base) ?? base, records: 0 }));
  }

  /** How many records each base has. */
  get bases(): readonly BaseSize[] {
    return this.#bases;
  }

  /** Number of records that are in scope. */
  get kept(): number {
    return this.#bases.reduce((sum, { records }) => sum + records, 0);
  }

  /** Returns whether nothing keeps a record out; else counts it. */
  keeps(leftOutBy: string | null): boolean {
    if (leftOutBy !== null) this.leftOut.set(leftOutBy, (this.leftOut.get(leftOutBy) ?? 0) + 1);
    return leftOutBy === null;
  }

  /** Counts records of the base with this number. */
  count(base: number, records: number): void {
    const one = this.#bases[base];
    if (one !== undefined) one.records += records;
  }
}

/** What groups add to the evidence. */
export type GroupEvidence = Pick<Groups, 'size' | 'notes' | 'followed' | 'members'>;

export function evidenceOf(
  { attributes, notes, warnings }: Directory,
  tallies: ReadonlyMap<SourcePart['part'], Tally>,
  groups: GroupEvidence | null,
): SourceEvidence {
  const parts = [...tallies].map(([part, { progress, bases, kept }]): SourcePart => {
    const { records, pages, end } = progress;
    const leftOut = part === 'people' && records > kept && { leftOut: records - kept };
    return { part, records, ...leftOut, pages, end: end ?? 'not ended', ...(bases.length > 1 && { bases }) };
  });
  if (groups !== null && groups.size !== null)
    parts.push({ part: 'members', ...groups.size, end: 'cookie empty' });
  const all = [...tallies.values()];
  return {
    type: 'ldap',
    snapshot: 'none',
    parts,
    unknown: attributes.unknown,
    ...(groups !== null && { followed: [{ dns: groups.followed, members: groups.members }] }),
    notes: [...notes, ...courseNotes(all), ...(groups?.notes ?? [])],
    warnings,
  };
}

function courseNotes(tallies: readonly Tally[]): readonly string[] {
  const leftOut = new Set(tallies.flatMap(({ progress }) => [...progress.leftOut]));
  return leftOut.size === 0 ? [] : [`skipped, since they hold no people: ${[...leftOut].join(' ; ')}`];
}

type LookedAt = Parameters<typeof lookAt>[1];

/** Looks for each exclusion of a part whether its entry is there, or its filter holds for any entry of the part. */
export async function matchedExclusions(
  { exclusions, filters, bases, scope }: Reach,
  course: Course,
): Promise<readonly Exclusion[]> {
  const found: Exclusion[] = [];
  const [own] = filters;
  for (const { text, place, filter } of exclusions) {
    const looks: readonly LookedAt[] =
      filter === null
        ? looksForEntry(text, bases)
        : bases.map((base) => ({ ...BARE, base, scope, filter: both(own?.filter, filter) }));
    found.push({ place, text, isMatched: await isAnyThere(looks, course) });
  }
  return found;
}

const both = (own: Filter | undefined, filter: Filter): Filter =>
  own === undefined ? filter : new AndFilter({ filters: [own, filter] });

const BARE = { attributes: ['1.1'] } as const;

/** Returns where to look for an entry; nowhere if no base has to do with it. */
const looksForEntry = (dn: string, bases: Reach['bases']): readonly LookedAt[] =>
  bases.some((base) => areInLine(dn, base)) ? [{ base: dn, scope: 'base', ...BARE }] : [];

/** Returns whether one of the entries is above the other, or both are the same. */
const areInLine = (one: string, other: string): boolean => isWithin(one, other) || isBelow(other, one);

/** Returns whether a look shows an entry. One that the server refuses, or refers elsewhere, says nothing against it. */
async function isAnyThere(looks: readonly LookedAt[], course: Course): Promise<boolean> {
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
