import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { ownNodes } from './own-node.ts';

/** What is known of nodes. */
export interface KnownNodes {
  readonly entries: readonly UnitEntry[];
  readonly oldNodes: readonly OldNode[];
  readonly organizations: readonly Organization[];
  /** Units that a plan makes or adopts. */
  readonly joining?: readonly { readonly id: string; readonly serialNo: string }[];
  /** Empty where it is not known. */
  readonly rootOrgId: string;
}

/** The unit of each node that is ours, by organization id; `null`: the service's root. */
export type UnitNodes = ReadonlyMap<string, string | null>;

/**
 * Ours are the nodes of managed units, also another one that shows a unit's serial number, as after a restore; those that
 * moved units have left, also where a lost ledger had remembered them and only their tag tells; and the service's root,
 * where rollcall puts people as well.
 */
export function unitNodes({
  entries,
  oldNodes,
  organizations,
  joining = [],
  rootOrgId,
}: KnownNodes): Map<string, string | null> {
  const managed = entries.filter(({ state }) => state === 'managed');
  const before = managed.flatMap(({ id, formerSerialNos = [] }) =>
    formerSerialNos.map((serialNo) => ({ id, serialNo })),
  );
  const unitOf = bySerialNo([...before, ...managed]);
  const unitLeft = bySerialNo([...joining, ...managed]);
  const marked = organizations.flatMap(({ id, serialNo }) => {
    const unit = unitOf.get(serialNo ?? '') ?? unitLeft.get(untagged(serialNo) ?? '');
    return unit === undefined ? [] : [[id, unit] as const];
  });
  const left = oldNodes.map(({ orgId, unit }) => [orgId, unit] as const);
  const stand = [...ownNodes(managed, organizations)].map(([orgId, { id }]) => [orgId, id] as const);
  return new Map<string, string | null>([...marked, ...left, ...stand, [rootOrgId, null]]);
}

function bySerialNo(
  units: readonly { readonly id: string; readonly serialNo: string }[],
): ReadonlyMap<string, string> {
  return new Map(units.map(({ serialNo, id }) => [serialNo, id]));
}
