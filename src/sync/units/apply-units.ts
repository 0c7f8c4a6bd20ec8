import { UNIT_CHANGES, type UnitChange } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { batchUnits } from '../../plan/units/batch-units.ts';
import { outgoingUnit } from '../../plan/values/outgoing.ts';
import { block, itemOf } from '../calls/call-item.ts';
import { clearName } from './clear-name.ts';
import { journalled } from '../calls/journalled.ts';
import { changesOf, isOfStep } from '../calls/steps.ts';
import { notThere } from '../refresh/full-look.ts';
import { halvingUnlessAll } from '../calls/refused-alike.ts';
import { listMissed, uploadLogos } from '../logos/upload-logos.ts';
import { importUnits } from './import-units.ts';
import { startMoves } from './start-move.ts';
import { unitWork, type UnitWork } from './unit-work.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** Creates, adopts, updates and moves units, parents before their children, level by level. */
export async function applyUnits(run: SendingRun): Promise<void> {
  const { changes, missed } = await uploadLogos(run, [...changesOf(run, 'unit', UNIT_CHANGES)]);
  const work = unitWork(run, changes);
  await inSteps(run.ledger.people.follow([...work.moves]));
  for (const level of byLevel(work.changes.filter(isOfStep('place')))) await place(work, level);
  listMissed(run, missed);
}

/** Creates, modifies and moves the units of one level. */
async function place(work: UnitWork, level: readonly UnitChange[]): Promise<void> {
  const { run } = work;
  for (const change of level) if (!isMade(change)) await modifyUnit(work, change);
  const made: UnitChange[] = [];
  for (const change of await placeable(work, level)) if (await hasName(work, change)) made.push(change);
  for (const batch of batchUnits(made, run.limits.unitsPerImport)) {
    const send = (part: readonly UnitChange[]): Promise<'settled' | 'split'> =>
      importUnits(work, part, part !== batch);
    await halvingUnlessAll(run, batch, { operation: 'org.import', work: send, changeOf: (change) => change });
  }
}

/** Returns whether the unit gets a node that is made for it. */
const isMade = ({ kind }: UnitChange): boolean => UNIT_KINDS[kind].makesNode;

/** Returns the changes that make a node, whose parents are where they should be, and whose serial numbers are free. */
async function placeable(work: UnitWork, level: readonly UnitChange[]): Promise<readonly UnitChange[]> {
  const made = level.filter((change) => isMade(change) && hasParent(work, change));
  const moves = made.filter((change) => change.kind === 'move' && isTakenOver(work, change));
  const ready = await startMoves(work, moves);
  return made.filter((change) => change.kind !== 'move' || ready.has(change));
}

async function hasName(work: UnitWork, change: UnitChange): Promise<boolean> {
  const clearing = await clearName(work, change);
  if (typeof clearing === 'string') return true;
  block(work.run, change, `its name is still that of ${clearing.heldBy} below the same parent`);
  return false;
}

/** Returns whether the unit has the node that is to move: an adoption right before the move may have failed. */
function isTakenOver({ run }: UnitWork, change: UnitChange): boolean {
  if (run.nodes.orgIdOf(change.id) === change.orgId) return true;
  block(run, change, 'not moved: its node could not be taken over');
  return false;
}

/** Splits changes, which come parents first, into levels: a level ends when a parent is placed in it. */
function byLevel(changes: readonly UnitChange[]): readonly (readonly UnitChange[])[] {
  const levelOf = new Map<string, number>();
  const levels: UnitChange[][] = [];
  for (const change of changes) {
    const above = change.payload.parent === null ? undefined : levelOf.get(change.payload.parent);
    // A unit may be adopted and then moved: the move is never in an earlier level.
    const own = levelOf.get(change.id) ?? 0;
    const level = above === undefined ? own : Math.max(own, above + 1);
    levelOf.set(change.id, level);
    (levels[level] ??= []).push(change);
  }
  return levels;
}

function hasParent({ run, moves }: UnitWork, change: UnitChange): boolean {
  const { parent } = change.payload;
  const follows = change.cause !== null || moves.has(parent ?? '');
  if (follows && parent !== null && !run.nodes.hasMoved(parent)) {
    block(run, change, `waits for its parent ${parent}, which could not be moved`);
    return false;
  }
  if (run.nodes.orgIdOf(parent) !== undefined) return true;
  block(run, change, `its parent ${parent} is not in the service`);
  return false;
}

async function modifyUnit(work: UnitWork, change: UnitChange): Promise<void> {
  const { run } = work;
  const { id, orgId, serialNo, payload } = change;
  if (orgId === null) return;
  const fields = outgoingUnit(payload.fields, { clear: run.sync.clear, creating: false, serialNo });
  const setsSerial = change.kind === 'adopt' || change.fields.some(({ field }) => field === 'serial_no');
  const body = setsSerial ? { serial_no: serialNo, ...fields } : fields;
  await journalled(run, {
    operation: 'org.modify',
    items: [itemOf(run, change)],
    send: async () => {
      await modify(work, change, body);
      run.nodes.rename(orgId, change.name);
      run.nodes.stand(id, orgId);
      return [{ is: 'unit', id, orgId, sent: payload, accepted: null, serialNo }];
    },
    splits: false,
    look: () => Promise.resolve(null),
  });
}

/**
 * Modifies a node. It is tried directly; if that is refused and another node has the name, that one gets a temporary
 * name first.
 */
async function modify(work: UnitWork, change: UnitChange, body: Fields): Promise<void> {
  const { service } = work.run;
  const orgId = change.orgId ?? '';
  const send = (): Promise<void> => service.modifyOrganization(orgId, body, UNSTOPPABLE);
  try {
    await send();
  } catch (error) {
    // What is asked after a refusal may fail too; the refusal is what is told.
    const told = (): never => {
      throw error;
    };
    if (!(error instanceof RefusedError)) throw error;
    if ((await clearName(work, change).catch(told)) !== 'cleared') {
      if ((await service.organization(orgId, UNSTOPPABLE).catch(told)) === null) notThere(work.run, orgId);
      throw error;
    }
    await send();
  }
}
