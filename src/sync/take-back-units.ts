import { foldName } from '../domain/fold.ts';
import { nameOf } from '../plan/unit-name.ts';
import type { Run } from './world.ts';

/**
 * Nodes of units that we removed and that are there again, under the same id, serial number and name: they came back with
 * a backup of the service, and are ours still. An id alone may be another node's by now.
 */
export function takeBackUnits({ ledger: { units, view } }: Run): void {
  const removed = units.all().filter(({ state }) => state === 'removed');
  if (removed.length === 0) return;
  const byId = new Map(view.organizations().map((node) => [node.id, node]));
  for (const { id, orgId, serialNo, sent } of removed) {
    const node = byId.get(orgId ?? '');
    if (node?.serialNo === serialNo && foldName(node.name) === foldName(nameOf(sent))) units.takeBack(id);
  }
}
