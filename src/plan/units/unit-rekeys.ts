import { foldName } from '../../domain/text/fold.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { unitName, type UnitNode, type UnitTree } from './tree.ts';

export interface RekeysInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly sync: Pick<SyncSettings, 'protect' | 'root'>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Finds the units that came back under other source ids, as after a rebuilt directory. Returns the new id of each old
 * one. An old one is in the ledger and not in the read; a new one is in the read and not in the ledger. The two are the
 * same if they have the same mapped serial number, else the same name below the same parent (promise 2's rule).
 * If there are several on either side, none is matched.
 */
export function rekeyedUnits({ tree, entries, sync }: RekeysInput): ReadonlyMap<string, string> {
  const known = new Set(entries.map(({ id }) => id));
  const added = [...tree.nodes.values()].filter(({ unit }) => !known.has(unit.id));
  const vanished = entries.filter((entry) => hasVanished(entry, { tree, sync }));
  if (added.length === 0 || vanished.length === 0) return NONE;
  const pairs = new Map<string, string>();
  const former = new Map<string, string>();
  const pair = ({ id }: UnitEntry, { unit }: UnitNode): void => {
    pairs.set(id, unit.id);
    former.set(unit.id, id);
  };
  const bySerial = groupBy(vanished, ({ sent }) => mappedSerial(sent) ?? '');
  const serials = groupBy(added, ({ unit }) => mappedSerial(unit) ?? '');
  const places = groupBy(vanished, ({ sent }) => placeKey(sent.parent, unitName(sent)));
  const wanted = groupBy(added, ({ unit, parent }) => placeKey(parent, unitName(unit)));
  // Parents come before their children.
  for (const node of added) {
    const serial = mappedSerial(node.unit);
    const same = serial === null ? undefined : onlyPair(bySerial.get(serial), serials.get(serial));
    if (same !== undefined) {
      pair(same, node);
      continue;
    }
    const parent = node.parent === null ? null : (former.get(node.parent) ?? node.parent);
    const name = unitName(node.unit);
    const there = onlyPair(places.get(placeKey(parent, name)), wanted.get(placeKey(node.parent, name)));
    if (there !== undefined && !pairs.has(there.id) && !areOthers(there, node)) pair(there, node);
  }
  return pairs;
}

/**
 * Returns whether a unit of ours is in no record of a complete read, nor in one whose id cannot be read. Protected
 * units do not count: they are named instead.
 */
function hasVanished(
  { id, state, orgId, sent }: UnitEntry,
  { tree, sync }: Pick<RekeysInput, 'tree' | 'sync'>,
): boolean {
  if (state !== 'managed' || orgId === null || tree.has(id) || id === sync.root) return false;
  return !sync.protect.units.includes(id) && !tree.nameless.has(foldName(unitName(sent)));
}

function onlyPair(
  old: readonly UnitEntry[] | undefined,
  added: readonly UnitNode[] | undefined,
): UnitEntry | undefined {
  return old?.length === 1 && added?.length === 1 ? old[0] : undefined;
}

/** Returns whether both have mapped serial numbers, and these differ. */
function areOthers({ sent }: UnitEntry, { unit }: UnitNode): boolean {
  const [before, now] = [mappedSerial(sent), mappedSerial(unit)];
  return before !== null && now !== null && before !== now;
}

function mappedSerial({ fields }: Pick<UnitEntry['sent'], 'fields'>): string | null {
  const serial = fields['serial_no'];
  return typeof serial === 'string' && serial !== '' ? serial : null;
}

const placeKey = (parent: string | null, name: string): string => JSON.stringify([parent, name]);
