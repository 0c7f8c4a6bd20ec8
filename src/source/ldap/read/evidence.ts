import type { BaseSize, FollowedGroups, SourcePart } from '../../../domain/reading/source-part.ts';
import type { SourceEvidence } from '../../../domain/reading/source.ts';
import type { LdapBase } from '../../../domain/source-settings.ts';
import type { Directory } from './open-directory.ts';
import { canonicalDn } from '../terms/dn.ts';
import { newProgress, type SearchProgress } from '../wire/paged-search.ts';

/** What one part of a read has brought so far, beside its records. */
export class Tally {
  readonly progress: SearchProgress = newProgress();
  readonly #bases: { readonly base: string; records: number }[];

  constructor(bases: readonly Pick<LdapBase, 'base'>[]) {
    this.#bases = bases.map(({ base }) => ({ base: canonicalDn(base) ?? base, records: 0 }));
  }

  /** How many records each base has. */
  get bases(): readonly BaseSize[] {
    return this.#bases;
  }

  /** Number of records that are in scope. */
  get kept(): number {
    return this.#bases.reduce((sum, { records }) => sum + records, 0);
  }

  /** Counts records of the base with this number. */
  count(base: number, records: number): void {
    const one = this.#bases[base];
    if (one !== undefined) one.records += records;
  }
}

/** What groups add to the evidence. */
export interface GroupsTold {
  /** `null`: they place nobody. */
  readonly size: Pick<SourcePart, 'records' | 'pages'> | null;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Groups in groups that were followed. */
  readonly followed: readonly string[];
  readonly members: Readonly<Record<string, number>>;
  readonly units: readonly string[];
}

export function evidenceOf(
  { attributes, notes, warnings }: Directory,
  tallies: ReadonlyMap<SourcePart['part'], Tally>,
  groups: GroupsTold | null,
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
    referrals: all.flatMap(({ progress }) => progress.referrals),
    unknown: attributes.unknown,
    ...(groups !== null && { followed: [followedOf(groups)] }),
    notes: [...notes, ...courseNotes(all), ...(groups?.notes ?? [])],
    warnings: [...warnings, ...(groups?.warnings ?? [])],
  };
}

const followedOf = ({ followed, members, units }: GroupsTold): FollowedGroups => ({
  dns: followed,
  members,
  ...(units.length > 0 && { units }),
});

function courseNotes(tallies: readonly Tally[]): readonly string[] {
  const leftOut = new Set(tallies.flatMap(({ progress }) => [...progress.leftOut]));
  const followed = new Set(tallies.flatMap(({ progress }) => progress.followed));
  return [
    ...(leftOut.size === 0 ? [] : [`left out, since they hold no people: ${[...leftOut].join(' ; ')}`]),
    ...(followed.size === 0 ? [] : [`referrals followed: ${[...followed].join(' ; ')}`]),
  ];
}
