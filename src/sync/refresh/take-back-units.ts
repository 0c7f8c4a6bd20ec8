import type { Run } from '../state/world.ts';

/**
 * Nodes of units that we removed and that are there again, under the same id and serial number: they came back with a
 * backup of the service, and are ours still. Their names may be others: a removed unit makes room for who gets its name.
 * An id alone may be another node's by now.
 */
export function takeBackUnits({ ledger: { units, view } }: Run): void {
  const removed = units.all().filter(({ state }) => state === 'removed');
  if (removed.length === 0) return;
  const byId = new Map(view.organizations().map((node) => [node.id, node]));
  for (const { id, orgId, serialNo } of removed)
    if (byId.get(orgId ?? '')?.serialNo === serialNo) units.takeBack(id);
}
