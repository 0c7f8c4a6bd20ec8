import type { UnitChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import { tagged, untagged } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { thenAlways } from '../../lib/then-always.ts';
import { block, itemOf } from '../calls/call-item.ts';
import { inBatches } from '../calls/steps.ts';
import { failed, openAndSend, settleSent, type SentCall } from '../calls/journalled.ts';
import { readBack } from '../ask/read-nodes.ts';
import type { UnitWork } from './unit-work.ts';
import { UNSTOPPABLE } from '../state/world.ts';

/** How many nodes are tagged before they are read back. */
const AT_ONCE = 500;

/** A unit that moves, and the serial number that its old node gets. */
interface Tagging {
  readonly change: UnitChange;
  readonly orgId: string;
  readonly serialNo: string;
}

/**
 * Frees the serial numbers of units that move: on their old nodes they get a tag, which is read back. Returns the moves
 * whose new node may be made. For the others nothing else has happened.
 */
export async function startMoves(
  work: UnitWork,
  moves: readonly UnitChange[],
): Promise<ReadonlySet<UnitChange>> {
  const ready = new Set<UnitChange>();
  const open: UnitChange[] = [];
  for (const change of moves) {
    if (!isTagged(work, change)) open.push(change);
    else if (await goOn(work, change)) ready.add(change);
  }
  for (const batch of inBatches(open, AT_ONCE))
    for (const change of await retag(work, batch)) ready.add(change);
  return new Set(moves.filter((change) => ready.has(change) && losesNoMore(work, change)));
}

function isTagged({ run }: UnitWork, { orgId, serialNo }: UnitChange): boolean {
  return untagged(run.nodes.node(orgId)?.serialNo ?? null) === serialNo;
}

/**
 * Returns whether a move loses no more than was planned. The node was read back with its tag. What was edited
 * in it since has to be named by the next plan, and held by its guard.
 */
function losesNoMore({ run, values }: UnitWork, change: UnitChange): boolean {
  const node = run.nodes.node(change.orgId);
  if (run.sync.unmapped === 'omit' || node === undefined) return true;
  const planned = change.loses?.fields ?? [];
  const more = values.lostWith(node).filter((field) => !planned.includes(field));
  if (more.length === 0) return true;
  block(run, change, `not moved: its node shows ${more.join(', ')} now, which would be lost`);
  return false;
}

/**
 * Goes on with a move that an interrupted run has begun. It may have made the new node already, which must not be made
 * twice.
 */
async function goOn({ run }: UnitWork, change: UnitChange): Promise<boolean> {
  const made = await run.service.organizationBySerial(change.serialNo, UNSTOPPABLE);
  if (made === null) return true;
  run.ledger.view.saveOrganizations([made], false);
  block(run, change, `its new node ${made.id} was there already: the next run goes on with it`);
  return false;
}

/** Tags the old nodes. Each call stays open in the journal until its node is shown with the tag. */
async function retag(work: UnitWork, changes: readonly UnitChange[]): Promise<readonly UnitChange[]> {
  const { run } = work;
  const { nodes } = run;
  const since = run.service.now();
  const sent: { readonly tagging: Tagging; readonly call: SentCall }[] = [];
  const done: UnitChange[] = [];
  const taggings = changes.flatMap((change): readonly Tagging[] =>
    change.orgId === null
      ? []
      : [
          {
            change,
            orgId: change.orgId,
            serialNo: tagged(change.serialNo, (tag) => nodes.withSerial(tag).length > 0),
          },
        ],
  );
  const sendEach = async (tagging: Tagging): Promise<void> => {
    sent.push({ tagging, call: await sendTag(work, tagging) });
  };
  const settleAll = async (): Promise<void> => {
    const tags = sent.map(({ tagging }) => tagging);
    const shown = await tagsShown(work, tags, since);
    for (const { tagging, call } of sent) {
      const node = shown.get(tagging.orgId);
      if (node?.serialNo === tagging.serialNo) {
        run.ledger.view.saveOrganizations([node], false);
        nodes.put(node);
        done.push(tagging.change);
      }
      settleSent(run, { ...call, settlements: settled(work, tagging, call, node) });
    }
  };
  await thenAlways(async () => inParallel(taggings, run.limits.concurrency, sendEach), settleAll);
  return done;
}

function sendTag({ run }: UnitWork, { change, orgId, serialNo }: Tagging): Promise<SentCall> {
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

async function tagsShown(
  { run }: UnitWork,
  taggings: readonly Tagging[],
  since: number,
): Promise<ReadonlyMap<string, Organization>> {
  const tags = new Map(taggings.map(({ orgId, serialNo }) => [orgId, serialNo]));
  const isAsSent = ({ id, serialNo }: Organization): boolean => serialNo === tags.get(id);
  return readBack(run, [...tags.keys()], { since, isAsSent, signal: UNSTOPPABLE });
}

/**
 * Returns what became of a tagging. What the service refused has failed already; what it took and does not show has
 * failed, too.
 */
function settled(
  { run }: UnitWork,
  { change, orgId, serialNo }: Tagging,
  { settlements }: SentCall,
  node: Organization | undefined,
): SentCall['settlements'] {
  if (settlements === 'split' || settlements.some(({ is }) => is !== 'noted')) return settlements;
  if (node?.serialNo === serialNo) return settlements;
  return [
    failed(
      run,
      change,
      `not moved: node ${orgId} does not show the serial number ${serialNo} that it was given`,
    ),
  ];
}
