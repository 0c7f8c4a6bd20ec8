import type { Run } from '../state/world.ts';

/**
 * Takes back units that we removed and whose nodes are there again, under the same id and serial number: they came back
 * with a backup of the service, and are still ours. Their names may be others: a removed unit makes room for another
 * one that gets its name. The id alone proves nothing, since it may be another node's by now.
 */
export function takeBackUnits({ ledger: { units, view } }: Run): void {
  const removed = units.all().filter(({ state }) => state === 'removed');
  if (removed.length === 0) return;
  const byId = new Map(view.organizations().map((node) => [node.id, node]));
  for (const { id, orgId, serialNo } of removed)
    if (byId.get(orgId ?? '')?.serialNo === serialNo) units.takeBack(id);
}
