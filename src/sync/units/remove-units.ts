import type { Listing } from '../state/listing.ts';
import type { Calls } from '../state/calls.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Approvals } from '../../plan/changes/change-digest.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { Blocked } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { EmployeeView } from '../../domain/ports/ledger/person-row.ts';
import type { NodeContents, Service } from '../../domain/ports/service.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { listSome } from '../../domain/text/printable.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { unitName } from '../../plan/units/tree.ts';
import { readOne } from '../ask/read-nodes.ts';
import { itemOf, type Item } from '../state/call-item.ts';
import { unitChangesOf } from '../calls/steps.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** How many locked employees who keep a node are named. */
const NAMED = 20;

/**
 * Deletes the nodes of units that are gone and those that moved units have left, children first, each only after a look
 * shows that it is empty. The others wait, and are listed as blocked.
 */
export async function removeUnits(run: SendingRun): Promise<void> {
  const doomed = doomedNodes(run.ledger, run.nodes, run.approved);
  if (doomed.length === 0) return;
  const lockedAt = run.ledger.view.seenAt(
    doomed.map(({ orgId }) => orgId),
    'locked',
  );
  const remove = async (node: DoomedNode): Promise<void> => {
    const locked = lockedAt.get(node.orgId) ?? [];
    const look = (): Promise<string | null> => occupants(run.service, run.nodes, node.orgId, locked);
    const waitsFor = await readOne(run, look, (reason) => `unknown (${reason})`);
    if (waitsFor === null) await deleteNode(run.service, run.calls, run.lists, node);
    else run.lists.blocked(waitingNote(node, waitsFor));
  };
  for (const level of groupBy(doomed, ({ depth }) => depth).values())
    await inParallel(level, run.limits.concurrency, remove);
}

/**
 * Returns who is still in the node; `null`: it is empty or gone. Children and employees count even if they
 * are not managed (promise 3).
 */
async function occupants(
  service: Service,
  nodes: NodeBook,
  orgId: string,
  locked: readonly EmployeeView[],
): Promise<string | null> {
  const contents = await contentsOf(service, orgId);
  if (contents === null) return null;
  return describeContents(nodes, contents) ?? (await whoIsHidden(service, orgId, locked));
}

/** Returns what is in the node; `null` if the node is gone. An error alone does not prove that. */
async function contentsOf(service: Service, orgId: string): Promise<NodeContents | null> {
  try {
    return await service.contents(orgId, UNSTOPPABLE);
  } catch (error) {
    const isGone = await service.organization(orgId, UNSTOPPABLE).then(
      (node) => node === null,
      () => false,
    );
    if (isGone) return null;
    throw error;
  }
}

/**
 * Returns who is in the node without being shown, or `null`. The contents may leave out locked people: of those last
 * seen here, the first who still is here is enough.
 */
async function whoIsHidden(
  service: Service,
  orgId: string,
  locked: readonly EmployeeView[],
): Promise<string | null> {
  for (const { id } of locked) {
    const employee = await service.employee(id, UNSTOPPABLE);
    if (employee?.positions.some((position) => position.orgId === orgId) !== true) continue;
    const names = locked.slice(0, NAMED).map(({ username }) => username);
    return `locked employees ${names.join(', ')}${locked.length > NAMED ? ' and more' : ''}`;
  }
  return null;
}

/** Returns who and what is in a node, in words; `null`: it is empty. */
export function describeContents(
  nodes: NodeBook,
  { children, employees, more }: NodeContents,
): string | null {
  if (children.length === 0 && employees.length === 0 && !more) return null;
  const below = children.map((id) => `${nodes.node(id)?.name ?? 'a node'} (${id})`);
  const units = below.length === 0 ? [] : [`units ${listSome(below, { atMost: NAMED })}`];
  const people = employees.length === 0 ? [] : [`employees ${listSome(employees, { atMost: NAMED })}`];
  return [...units, ...people].join(' and ') + (more ? ' and more' : '');
}

/** Returns why a node that is to be removed is still there. */
export function waitingNote({ orgId, item: { id, label }, isOld }: DoomedNode, who: string): Blocked {
  const reason = `waits to be removed, still there: ${who}`;
  if (!isOld) return { subject: 'unit', id, label, reason };
  // The unit itself has another node by now.
  return { subject: 'unit', id, label, reason: `its old node ${orgId} ${reason}`, goesOn: true };
}

async function deleteNode(service: Service, calls: Calls, lists: Listing, node: DoomedNode): Promise<void> {
  const { orgId, item, isOld } = node;
  const { id } = item;
  const gone: readonly Settlement[] = [isOld ? { is: 'swept', id, orgId } : { is: 'unitGone', id }];
  const isGone = async (): Promise<boolean> => (await service.organization(orgId, UNSTOPPABLE)) === null;
  await calls.make({
    operation: isOld ? 'org.sweep' : 'org.delete',
    items: [item],
    send: async () => {
      try {
        await service.deleteOrganization(orgId, UNSTOPPABLE);
        return gone;
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        if (error.named === 'noSuchOrganization' || (await isGone().catch(() => false))) return gone;
        if (error.named !== 'hasEmployees') throw error;
        lists.blocked(waitingNote(node, 'employees whom the service does not show'));
        return [];
      }
    },
    splits: false,
    look: async () => ((await isGone()) ? gone : null),
  });
}

/** A node that is to be deleted once it is empty. */
interface DoomedNode {
  readonly orgId: string;
  readonly item: Item;
  /** Whether a unit that moved has left it; otherwise its unit is gone. */
  readonly isOld: boolean;
  /** Depth below the root: children are deleted before their parents. */
  readonly depth: number;
}

/**
 * Returns the nodes of units that are gone, and those that moved units have left; children first, as the service has
 * them.
 */
export function doomedNodes(ledger: Ledger, nodes: NodeBook, approved: Approvals): readonly DoomedNode[] {
  const gone = [...unitChangesOf(ledger.plan, 'remove')].flatMap((change) =>
    change.orgId === null ? [] : [{ orgId: change.orgId, item: itemOf(approved, change), isOld: false }],
  );
  const units = new Map(ledger.units.all().map((entry) => [entry.id, entry]));
  const left = [...nodes.left].flatMap(([orgId, unit]) => {
    const entry = units.get(unit);
    // Its move goes on from here.
    if (entry?.state === 'managed' && nodes.orgIdOf(unit) === undefined) return [];
    const label = entry === undefined ? `node ${orgId}` : unitName(entry.sent);
    return [{ orgId, item: onLeftNode(unit, label), isOld: true }];
  });
  const doomed = [...gone, ...left].map((node) => ({ ...node, depth: nodes.depthOf(node.orgId) }));
  return doomed.toSorted((a, b) => b.depth - a.depth);
}

/** Returns a journal item for work on a node that a moved unit has left; such work is no change of the plan. */
export function onLeftNode(unit: string, label: string): Item {
  return { subject: 'unit', id: unit, label, buckets: [], isApproved: false, claims: null };
}
