import { PROTECTED } from '../../domain/records/records.ts';
import type { UnitChange } from '../../domain/changes.ts';
import { foldName } from '../../domain/text/fold.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { unitName, type UnitTree } from './tree.ts';
import { unitChange } from './unit-change.ts';

export interface RemovalsInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly sync: SyncSettings;
  readonly unclear?: ReadonlyMap<string, string>;
}

export interface Removals {
  /** Children first. */
  readonly changes: readonly UnitChange[];
  readonly blocked: ReadonlyMap<string, string>;
}

/**
 * Returns whether a unit of ours is no longer in a complete read, and units that are gone are removed
 * (`sync.unitsGone`). A record of the same name whose id cannot be read may be the unit, so then it is not.
 */
export function isMissing(entry: UnitEntry, { tree, sync }: Omit<RemovalsInput, 'entries'>): boolean {
  if (sync.unitsGone === 'keep' || tree.nameless.has(foldName(unitName(entry.sent)))) return false;
  return entry.state === 'managed' && entry.orgId !== null && !tree.has(entry.id);
}

/** Decides which units are to go. Whether a node is empty is looked at later, before the call. */
export function decideRemovals(input: RemovalsInput): Removals {
  const byId = new Map(input.entries.map((entry) => [entry.id, entry]));
  const missing = input.entries
    .filter((entry) => isMissing(entry, input))
    .map((entry) => ({ entry, depth: depthOf(entry, byId) }))
    .toSorted((a, b) => b.depth - a.depth)
    .map(({ entry }) => entry);
  const blocked = new Map(
    missing.flatMap((entry) => {
      const reason = whyKept(entry, input);
      return reason === null ? [] : [[entry.id, reason] as const];
    }),
  );
  return {
    changes: missing.filter(({ id }) => !blocked.has(id)).map((entry) => removalOf(entry, input.tree)),
    blocked,
  };
}

/** Returns why a unit that is missing stays; `null`: it goes. */
function whyKept({ id }: UnitEntry, { tree, sync, unclear }: RemovalsInput): string | null {
  const unread = unclear?.get(id);
  if (unread !== undefined) return `missing in the source, and its node is ${unread}`;
  if (sync.protect.units.includes(id))
    return `${PROTECTED}: would be removed (missing in the source); if it has another id there now, write that one into sync.protect`;
  if (tree.unknown === 0 || tree.isOutside(id)) return null;
  const records = tree.unknown === 1 ? 'one record of units' : `${tree.unknown} records of units`;
  return `missing in the source, while no id can be read of ${records}, which may be this one. Let the reading account read it, or exclude these records by the filter`;
}

function removalOf({ id, sent: payload, serialNo, orgId }: UnitEntry, tree: UnitTree): UnitChange {
  const why = tree.isOutside(id) ? 'out of scope by source.units.where' : 'missing in the source';
  const doubt = tree.doubts.get(id);
  return unitChange('remove', id, { payload, serialNo, orgId, why, guard: 'unitsRemoved', doubt });
}

function depthOf({ sent }: UnitEntry, byId: ReadonlyMap<string, UnitEntry>): number {
  let depth = 0;
  let { parent } = sent;
  while (parent !== null && depth < byId.size) {
    depth += 1;
    parent = byId.get(parent)?.sent.parent ?? null;
  }
  return depth;
}
