import type { UnitChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import { leftSerial } from '../../domain/records/left-node.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { thenAlways } from '../../lib/then-always.ts';
import { lostWith } from '../../plan/nodes/node-values.ts';
import { block, itemOf } from '../calls/call-item.ts';
import { inBatches } from '../calls/steps.ts';
import { failed, openAndSend, settleSent, type SentCall } from '../calls/journalled.ts';
import { readBack } from '../ask/read-nodes.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** How many nodes get their serial numbers before they are read back. */
const AT_ONCE = 500;

/**
 * Frees the serial numbers of units that move: the nodes that they leave get others, which are read back. Returns the
 * moves whose new node may be made. For the others nothing else has happened.
 */
export async function leaveNodes(
  run: SendingRun,
  moves: readonly UnitChange[],
): Promise<ReadonlySet<UnitChange>> {
  for (const batch of inBatches(
    moves.filter(({ orgId }) => !run.nodes.left.has(orgId ?? '')),
    AT_ONCE,
  ))
    await leave(run, batch);
  return new Set(
    moves.filter((change) => run.nodes.left.has(change.orgId ?? '') && losesNoMore(run, change)),
  );
}

/**
 * Returns whether a move loses no more than was planned. The node was just read back. What was edited in it since has
 * to be named by the next plan, and held by its guard.
 */
function losesNoMore(run: SendingRun, change: UnitChange): boolean {
  const node = run.nodes.node(change.orgId);
  if (run.sync.unmapped === 'omit' || node === undefined) return true;
  const planned = change.loses?.fields ?? [];
  const more = lostWith(node).filter((field) => !planned.includes(field));
  if (more.length === 0) return true;
  block(run, change, `not moved: its node shows ${more.join(', ')} now, which would be lost`);
  return false;
}

/** Sends the new serial numbers. Each call stays open in the journal until its node is shown with it. */
async function leave(run: SendingRun, changes: readonly UnitChange[]): Promise<void> {
  const since = run.service.now();
  const sent = new Map<UnitChange, SentCall>();
  const settleAll = async (): Promise<void> => {
    const serials = new Map([...sent.keys()].map((change) => [change.orgId ?? '', serialLeft(change)]));
    const shown = await readBack(run, [...serials.keys()], {
      since,
      isAsSent: ({ id, serialNo }) => serialNo === serials.get(id),
      signal: UNSTOPPABLE,
    });
    for (const [change, call] of sent) {
      const node = shown.get(change.orgId ?? '');
      const isShown = node?.serialNo === serialLeft(change);
      if (isShown) {
        run.ledger.view.saveOrganizations([node], false);
        run.nodes.put(node);
      }
      settleSent(run, { ...call, settlements: isShown ? call.settlements : notShown(run, change, call) });
    }
  };
  const sendEach = async (change: UnitChange): Promise<void> =>
    void sent.set(change, await sendSerial(run, change));
  await thenAlways(async () => inParallel(changes, run.limits.concurrency, sendEach), settleAll);
}

const serialLeft = ({ serialNo, orgId }: UnitChange): string => leftSerial(serialNo, orgId ?? '');

function sendSerial(run: SendingRun, change: UnitChange): Promise<SentCall> {
  const orgId = change.orgId ?? '';
  const serialNo = serialLeft(change);
  const noted: readonly Settlement[] = [{ is: 'noted', id: change.id }];
  return openAndSend(run, {
    operation: 'org.retag',
    items: [itemOf(run, change)],
    splits: false,
    send: async () => {
      await run.service.modifyOrganization(orgId, { serial_no: serialNo }, UNSTOPPABLE);
      return noted;
    },
    look: async () =>
      (await run.service.organization(orgId, UNSTOPPABLE))?.serialNo === serialNo ? noted : null,
  });
}

/** What the service refused has failed already; what it took and does not show has failed, too. */
function notShown(run: SendingRun, change: UnitChange, { settlements }: SentCall): SentCall['settlements'] {
  if (settlements === 'split' || settlements.some(({ is }) => is !== 'noted')) return settlements;
  const reason = `not moved: node ${change.orgId} does not show the serial number ${serialLeft(change)} that it was given`;
  return [failed(run, change, reason)];
}
