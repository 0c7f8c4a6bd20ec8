import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { MovedPeople } from '../../domain/ports/ledger/source-stage.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { UnitTree } from './tree.ts';
import { rekeyedUnits } from './unit-rekeys.ts';

export interface RenamesInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly sync: Pick<SyncSettings, 'protect' | 'root'>;
  /** Of all people in units that the source does not have any more. */
  readonly moved: readonly MovedPeople[];
  /** People of the source by unit, in the units that the ledger does not know. */
  readonly joined: ReadonlyMap<string, number>;
}

/** A value that is most likely another one's new name. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly people: number;
  /** How many were in the old one, and are in the new one, those in units below included. */
  readonly of: { readonly before: number; readonly now: number };
}

/** One person proves nothing: a department of one is left every day. */
const FEWEST = 2;

/**
 * Finds units made from values whose value was most likely renamed: the old one is gone and the new one was not there,
 * both below the same parent, more than half of the old one's people are in the new one now, and more than half of the
 * new one's people were in the old one. People in units below count along; of a path that is renamed at its top, only
 * that is found.
 */
export function renamedValues({ tree, entries, moved, joined }: RenamesInput): readonly Renamed[] {
  const before = new Map(entries.map((entry) => [entry.id, entry]));
  const isGone = (id: string): boolean => before.get(id)?.state === 'managed' && !tree.has(id);
  const isNew = (id: string): boolean => tree.nodes.has(id) && !before.has(id);
  const oldTop = (id: string): string => topOf(id, isGone, (one) => before.get(one)?.sent.parent ?? null);
  const newTop = (id: string): string => topOf(id, isNew, (one) => tree.nodes.get(one)?.parent ?? null);
  const were = summed(moved.map(({ from, people }) => [oldTop(from), people]));
  const are = summed([...joined].map(([id, people]) => [newTop(id), people]));
  const pairs = summed(
    moved.flatMap(({ from, to, people }) =>
      to === null || !isNew(to) ? [] : [[JSON.stringify([oldTop(from), newTop(to)]), people] as const],
    ),
  );
  return [...pairs].flatMap(([key, people]) => {
    const [from, to] = JSON.parse(key) as readonly [string, string];
    const of = { before: were.get(from) ?? 0, now: are.get(to) ?? 0 };
    const isSamePlace = (before.get(from)?.sent.parent ?? null) === (tree.nodes.get(to)?.parent ?? null);
    const isMost = people >= FEWEST && people * 2 > of.before && people * 2 > of.now;
    return isSamePlace && isMost ? [{ from, to, people, of }] : [];
  });
}

function topOf(id: string, counts: (id: string) => boolean, parentOf: (id: string) => string | null): string {
  const parent = parentOf(id);
  return parent !== null && counts(parent) ? topOf(parent, counts, parentOf) : id;
}

function summed(entries: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, n] of entries) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}

/** Returns the new id of each unit that is renamed, with those below that have the same names as before. */
export function renamedWithBelow(
  { tree, entries, sync }: RenamesInput,
  renamed: readonly Renamed[],
): ReadonlyMap<string, string> {
  const given = new Map(renamed.map(({ from, to }) => [from, to]));
  const tops = new Set(given.values());
  const isBelow = (id: string): boolean => {
    if (tops.has(id)) return true;
    const parent = tree.nodes.get(id)?.parent ?? null;
    return parent !== null && isBelow(parent);
  };
  const all = rekeyedUnits({ tree, entries, sync, given });
  return new Map([...all].filter(([, to]) => isBelow(to)));
}
