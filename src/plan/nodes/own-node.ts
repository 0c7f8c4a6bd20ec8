import { foldName } from '../../domain/text/fold.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { Organization } from '../../domain/ports/service.ts';

/**
 * Returns whether the node with the id that the ledger knows is the unit's: it shows the unit's serial number, tagged
 * where a move has begun, or the name that was last sent or read back. Ids alone prove nothing: a service that was
 * restored gives them again, to nodes of others.
 */
function isOwnNode(
  { serialNo, formerSerialNos = [], sent, accepted }: UnitEntry,
  node: Organization,
): boolean {
  const shown = [node.serialNo, untagged(node.serialNo)].filter((one) => one !== null);
  if (shown.some((one) => one === serialNo || formerSerialNos.includes(one))) return true;
  const name = foldName(node.name);
  return [sent.fields['name'], accepted?.['name']].some(
    (known) => typeof known === 'string' && foldName(known) === name,
  );
}

/** Returns the same of a node that the unit has left: it may have got a temporary name since. */
export function isOwnOldNode(entry: UnitEntry, node: Organization): boolean {
  const marks = [node.id, entry.serialNo, ...(entry.formerSerialNos ?? [])];
  return isOwnNode(entry, node) || marks.some((mark) => node.name.endsWith(`~${mark}`));
}

/** The managed units whose nodes are seen and theirs, by organization id. */
export function ownNodes(
  entries: readonly UnitEntry[],
  organizations: readonly Organization[],
): ReadonlyMap<string, UnitEntry> {
  const byId = new Map(organizations.map((node) => [node.id, node]));
  return new Map(
    entries.flatMap((entry) => {
      const node = byId.get(entry.orgId ?? '');
      return entry.state === 'managed' && node !== undefined && isOwnNode(entry, node)
        ? [[node.id, entry] as const]
        : [];
    }),
  );
}

/** Nodes that the ledger has for units and that are seen, but are others' by what they show. */
export function lostNodes(
  entries: readonly UnitEntry[],
  organizations: readonly Organization[],
): readonly OldNode[] {
  const own = ownNodes(entries, organizations);
  const seen = new Set(organizations.map(({ id }) => id));
  return entries.flatMap(({ id, state, orgId }) =>
    state === 'managed' && orgId !== null && seen.has(orgId) && !own.has(orgId) ? [{ orgId, unit: id }] : [],
  );
}
