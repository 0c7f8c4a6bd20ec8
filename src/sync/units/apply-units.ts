import { UNIT_CHANGES, type UnitChange } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { batchUnits } from '../../plan/units/batch-units.ts';
import { outgoingUnit } from '../../plan/values/outgoing.ts';
import { block, itemOf } from '../calls/call-item.ts';
import { clearName, type UnitWork } from './clear-name.ts';
import { journalled } from '../calls/journalled.ts';
import { changesOf, isOfStep } from '../calls/steps.ts';
import { halvingUnlessAll } from '../calls/refused-alike.ts';
import { listMissed, uploadLogos } from '../logos/upload-logos.ts';
import { importUnits } from './import-units.ts';
import { leaveNodes } from './leave-nodes.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** Creates, adopts, updates and moves units, parents before their children, level by level. */
export async function applyUnits(run: SendingRun): Promise<void> {
  const { changes, missed } = await uploadLogos(run, [...changesOf(run, 'unit', UNIT_CHANGES)]);
  const moves = new Set(changes.filter(({ kind }) => kind === 'move').map(({ id }) => id));
  const byOrgId = new Map(changes.map((change) => [change.orgId, change]));
  const work: UnitWork = { run, byOrgId, moves };
  await inSteps(run.ledger.people.follow([...moves]));
  for (const level of byLevel(changes.filter(isOfStep('place')))) await place(work, level);
  listMissed(run, missed);
}

/** Creates, modifies and moves the units of one level. */
async function place(work: UnitWork, level: readonly UnitChange[]): Promise<void> {
  const { run } = work;
  for (const change of level) if (!isMade(change)) await modifyUnit(work, change);
  const placeable = level.filter((change) => isMade(change) && hasParent(work, change));
  const ready = await leaveNodes(
    run,
    placeable.filter(({ kind }) => kind === 'move'),
  );
  const made: UnitChange[] = [];
  for (const change of placeable)
    if ((change.kind !== 'move' || ready.has(change)) && (await hasName(work, change))) made.push(change);
  for (const batch of batchUnits(made, run.limits.unitsPerImport)) {
    const send = (part: readonly UnitChange[]): Promise<'settled' | 'split'> =>
      importUnits(run, part, part !== batch);
    await halvingUnlessAll(run, batch, { operation: 'org.import', work: send, changeOf: (change) => change });
  }
}

/** Returns whether the unit gets a node that is made for it. */
const isMade = ({ kind }: UnitChange): boolean => UNIT_KINDS[kind].makesNode;

async function hasName(work: UnitWork, change: UnitChange): Promise<boolean> {
  const clearing = await clearName(work, change);
  if (typeof clearing === 'string') return true;
  block(work.run, change, `its name is still that of ${clearing.heldBy} below the same parent`);
  return false;
}

/** Splits changes, which come parents first, into levels: a level ends when a parent is placed in it. */
function byLevel(changes: readonly UnitChange[]): readonly (readonly UnitChange[])[] {
  const levelOf = new Map<string, number>();
  const levels: UnitChange[][] = [];
  for (const change of changes) {
    const above = change.payload.parent === null ? undefined : levelOf.get(change.payload.parent);
    const level = above === undefined ? 0 : above + 1;
    levelOf.set(change.id, level);
    (levels[level] ??= []).push(change);
  }
  return levels;
}

/** Returns whether the parent stands where it is to be. */
function hasParent({ run, moves }: UnitWork, change: UnitChange): boolean {
  const { parent } = change.payload;
  const isMeantToMove = change.cause !== null || moves.has(parent ?? '');
  const hasPlace = isMeantToMove ? run.nodes.hasMoved(parent) : run.nodes.orgIdOf(parent) !== undefined;
  if (hasPlace) return true;
  block(run, change, `waits for unit ${parent}: it is not in its place`);
  return false;
}

async function modifyUnit(work: UnitWork, change: UnitChange): Promise<void> {
  const { run } = work;
  const { id, orgId, serialNo, payload } = change;
  if (orgId === null) return;
  const fields = outgoingUnit(run.logos.fieldsOf(change), {
    clear: run.sync.clear,
    creating: false,
    serialNo,
  });
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
    if ((await clearName(work, change).catch(told)) !== 'cleared') throw error;
    await send();
  }
}
