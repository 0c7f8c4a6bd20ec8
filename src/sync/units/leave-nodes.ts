import type { Listing } from '../state/listing.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { UnitChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import { leftName, leftSerial } from '../../domain/records/left-node.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { lostWith } from '../../plan/nodes/node-values.ts';
import { itemOf } from '../state/call-item.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/**
 * Frees the serial numbers and names of units that move: the nodes that they leave get others, which are read back.
 * Returns the moves whose new node may be made. For the others nothing else has happened.
 */
export async function leaveNodes(
  run: SendingRun,
  moves: readonly UnitChange[],
): Promise<ReadonlySet<UnitChange>> {
  const isLeft = ({ orgId }: UnitChange): boolean => run.nodes.isLeft(orgId);
  const staying = moves.filter((change) => !isLeft(change));
  await inParallel(staying, run.limits.concurrency, (change) => leave(run, change));
  return new Set(
    moves.filter((change) => isLeft(change) && losesNoMore(run.nodes, run.sync, run.lists, change)),
  );
}

/**
 * Returns whether a move loses no more than was planned. The node was just read back. What was edited in it since has
 * to be named by the next plan, and held by its guard.
 */
function losesNoMore(nodes: NodeBook, sync: SyncSettings, lists: Listing, change: UnitChange): boolean {
  const node = nodes.node(change.orgId);
  if (sync.unmapped === 'omit' || node === undefined) return true;
  const planned = change.loses?.fields ?? [];
  const more = lostWith(node).filter((field) => !planned.includes(field));
  if (more.length === 0) return true;
  lists.block(change, `not moved: its node shows ${more.join(', ')} now, which would be lost`);
  return false;
}

async function leave(run: SendingRun, change: UnitChange): Promise<void> {
  const orgId = change.orgId ?? '';
  const serialNo = leftSerial(change.serialNo, orgId);
  const look = async (): Promise<readonly Settlement[] | null> => {
    const node = await run.service.organization(orgId, UNSTOPPABLE);
    if (node?.serialNo !== serialNo) return null;
    run.ledger.view.saveOrganizations([node], false);
    run.nodes.put(node);
    return [{ is: 'noted', id: change.id }];
  };
  const notShown = `not moved: node ${orgId} does not show the serial number ${serialNo} that it was given`;
  await run.calls.make({
    operation: 'org.retag',
    items: [itemOf(run.approved, change)],
    splits: false,
    send: async () => {
      const name = leftName(run.nodes.node(orgId)?.name ?? change.name, orgId);
      await run.service.modifyOrganization(orgId, { serial_no: serialNo, name }, UNSTOPPABLE);
      return (await look()) ?? [run.calls.failed(change, notShown)];
    },
    look,
  });
}
