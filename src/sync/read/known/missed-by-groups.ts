import type { SourceEvidence } from '../../../domain/reading/source.ts';
import type { Spot } from '../../../domain/records/recognition.ts';
import { foldUsername } from '../../../domain/text/fold.ts';
import { hashedName } from '../../../lib/digest.ts';
import type { Run } from '../../state/world.ts';

/** By what groups of the scope name somebody who is missing. */
export interface NamedBy {
  /** Where the record was in the last complete read. */
  readonly spot: Spot;
  /** By the place; otherwise by one of the usernames, folded. */
  readonly isByPlace: boolean;
  readonly usernames: readonly string[];
}

/** People who are missing where groups name them, by source id. */
export type MissedByGroups = ReadonlyMap<string, NamedBy>;

export const NOBODY: MissedByGroups = new Map();

/** Returns people of ours who are missing and whom groups of the scope still name, by their last place or as before. */
export function missedByGroups(
  { ledger: { staging } }: Run,
  { followed = [] }: SourceEvidence,
): MissedByGroups {
  const spots = new Set(followed.flatMap(({ nobodies = [] }) => nobodies));
  const uids = new Set(followed.flatMap(({ nobodyUids = [] }) => nobodyUids));
  if (spots.size + uids.size === 0) return NOBODY;
  return new Map(
    staging.missing().flatMap(({ id, spot, usernames }): (readonly [string, NamedBy])[] => {
      const isByPlace = spots.has(spot);
      const names = usernames.map((name) => foldUsername(name));
      if (!isByPlace && !names.some((name) => uids.has(hashedName(name)))) return [];
      return [[id, { spot, isByPlace, usernames: names }]];
    }),
  );
}

/** Returns whether the record that was found may be that of somebody whom groups name otherwise: it is elsewhere by now. */
export const isElsewhere = (
  { spot, isByPlace, usernames }: NamedBy,
  found: { readonly spot: Spot | undefined; readonly label?: string | null | undefined },
): boolean =>
  isByPlace
    ? found.spot !== spot
    : typeof found.label === 'string' && !usernames.includes(foldUsername(found.label));
