import { UNIT_CHANGES, type UnitChange } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import { UNIT_FIELDS, type Fields } from '../../domain/records/fields.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { Organization, OrganizationBody } from '../../domain/ports/service.ts';
import { backOffMs } from '../../lib/back-off.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { batchUnits } from '../../plan/units/batch-units.ts';
import { outgoingUnit } from '../../plan/values/outgoing.ts';
import { madeByMoveOf, madeOf } from '../../plan/units/node-values.ts';
import { block } from '../calls/block.ts';
import { clearName } from './clear-name.ts';
import { failed, doubt, journalled } from '../calls/journalled.ts';
import { changesOf } from '../calls/changes-of.ts';
import { isOfStep } from '../calls/steps.ts';
import { notThere } from '../refresh/look-again.ts';
import { READ_BACK_MARGIN_MS } from '../ask/read-nodes.ts';
import { halvingUnlessAll } from '../calls/refused-alike.ts';
import { standOn } from './stand-on.ts';
import { startMoves } from './start-move.ts';
import { unitWork, type UnitWork } from './unit-work.ts';
import { UNSTOPPABLE, type Run } from '../state/world.ts';

const LOOKS = 4;
const LOOK_AGAIN = { firstMs: 500, longestMs: 4_000 };

/** Creates, adopts, updates and moves units, parents before their children, level by level. */
export async function applyUnits(run: Run): Promise<void> {
  const work = unitWork(run, [...changesOf(run, 'unit', UNIT_CHANGES)]);
  run.ledger.people.follow([...work.moves]);
  for (const level of byLevel(work.changes.filter(isOfStep('place')))) {
    for (const change of level) if (!isMade(change)) await modifyUnit(work, change);
    const made: UnitChange[] = [];
    for (const change of await placeable(work, level)) if (await hasName(work, change)) made.push(change);
    for (const batch of batchUnits(made, run.limits.unitsPerImport)) {
      const send = (part: readonly UnitChange[]): Promise<'settled' | 'split'> =>
        importUnits(work, part, part !== batch);
      await halvingUnlessAll(run, batch, {
        operation: 'org.import',
        work: send,
        changeOf: (change) => change,
      });
    }
  }
}

/** Gets a node of its own. */
const isMade = ({ kind }: UnitChange): boolean => UNIT_KINDS[kind].makesNode;

/**
 * Returns those who get a node of their own, whose parents are where they should be, and whose serial numbers are free.
 */
async function placeable(work: UnitWork, level: readonly UnitChange[]): Promise<readonly UnitChange[]> {
  const made = level.filter((change) => isMade(change) && hasParent(work, change));
  const moves = made.filter((change) => change.kind === 'move' && isTakenOver(work, change));
  const begun = await startMoves(work, moves);
  return made.filter((change) => change.kind !== 'move' || begun.has(change));
}

async function hasName(work: UnitWork, change: UnitChange): Promise<boolean> {
  const clearing = await clearName(work, change);
  if (typeof clearing === 'string') return true;
  block(work.run, change, `its name is still that of ${clearing.heldBy} below the same parent`);
  return false;
}

/** An adoption that comes right before its move may have failed. */
function isTakenOver({ run }: UnitWork, change: UnitChange): boolean {
  if (run.orgIds.get(change.id) === change.orgId) return true;
  block(run, change, 'not moved: its node could not be taken over');
  return false;
}

/** Changes come parents first; a level ends where a parent is created or adopted in it. */
function byLevel(changes: readonly UnitChange[]): readonly (readonly UnitChange[])[] {
  const levelOf = new Map<string, number>();
  const levels: UnitChange[][] = [];
  for (const change of changes) {
    const above = change.payload.parent === null ? undefined : levelOf.get(change.payload.parent);
    // Adopted first, then moved.
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
  if (follows && parent !== null && !run.moved.has(parent)) {
    block(run, change, `waits for its parent ${parent}, which could not be moved`);
    return false;
  }
  if (run.orgIds.has(parent)) return true;
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
    changes: [change],
    send: async () => {
      if (!trusted(run, change)) await modify(work, change, body);
      work.names.rename(orgId, change.name);
      standOn(run, id, orgId);
      return [{ is: 'unit', id, orgId, sent: payload, accepted: null }];
    },
    splits: false,
    look: () => Promise.resolve(null),
  });
}

/** Tried directly; where that is refused and another node has the name, that one gets a temporary name first. */
async function modify(work: UnitWork, change: UnitChange, body: Fields): Promise<void> {
  const { service } = work.run;
  const orgId = change.orgId ?? '';
  const send = (): Promise<void> => service.modifyOrganization(orgId, body, UNSTOPPABLE);
  try {
    await send();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if ((await clearName(work, change)) !== 'cleared') {
      if ((await service.organization(orgId, UNSTOPPABLE)) === null) notThere(work.run, orgId);
      throw error;
    }
    await send();
  }
}

/** `adopt: trust` sends nothing where the shown fields are as they should be and the serial number is set. */
function trusted(run: Run, { kind, fields }: UnitChange): boolean {
  return kind === 'adopt' && run.sync.adopt === 'trust' && fields.length === 0;
}

/** @param again whether some of it may be there already: it was part of an import that failed whole */
async function importUnits(
  work: UnitWork,
  batch: readonly UnitChange[],
  again: boolean,
): Promise<'settled' | 'split'> {
  const { run } = work;
  const since = run.service.now() - READ_BACK_MARGIN_MS;
  const there = again ? await readCreated(run, batch, since) : new Map<string, Organization>();
  let left = batch.filter(({ serialNo }) => !there.has(serialNo));
  return journalled(run, {
    operation: 'org.import',
    changes: batch,
    send: async () => {
      if (left.length === 0) return settle(work, batch, there, []);
      const bodies = left.map((change) => bodyOf(work, change));
      const answer = await run.service.importOrganizations(bodies, UNSTOPPABLE);
      const taken = batch.length - answer.failures.length;
      return settle(work, batch, await findCreated(run, batch, { since, taken }), answer.failures);
    },
    splits: batch.length > 1,
    look: async () => {
      const found = await findCreated(run, batch, { since, taken: batch.length });
      left = batch.filter(({ serialNo }) => !found.has(serialNo));
      return left.length === 0 ? settle(work, batch, found, []) : null;
    },
  });
}

const isCarried = ([name]: readonly [string, unknown]): boolean =>
  name in UNIT_FIELDS && name !== 'serial_no';

/** A moved unit keeps what its old node shows of fields that are not mapped, and the logo that somebody gave it. */
function bodyOf(
  { run, names, values }: UnitWork,
  { payload, serialNo, orgId }: UnitChange,
): OrganizationBody {
  const node = names.node(orgId);
  const shown = Object.fromEntries(Object.entries(node?.fields ?? {}).filter(isCarried));
  const fields = { ...shown, ...(node === undefined ? {} : values.along(node)), ...payload.fields };
  return {
    parentId: run.orgIds.get(payload.parent) ?? '',
    fields: outgoingUnit(fields, { clear: run.sync.clear, creating: true, serialNo }),
  };
}

/** What the service took it may show a little later: looked for again before it counts as not there. */
async function findCreated(
  run: Run,
  batch: readonly UnitChange[],
  { since, taken }: { readonly since: number; readonly taken: number },
): Promise<ReadonlyMap<string, Organization>> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readCreated(run, batch, since);
    if (found.size >= taken || attempt === LOOKS) return found;
    await run.clock.sleep(backOffMs(attempt, LOOK_AGAIN, 1), UNSTOPPABLE);
  }
}

/**
 * Returns who has one of these serial numbers now. The shape of an import's keys is not stated, so the answer alone
 * proves nothing: the list of what changed since is read, then each missing one by its serial number.
 */
async function readCreated(
  run: Run,
  batch: readonly UnitChange[],
  since: number,
): Promise<ReadonlyMap<string, Organization>> {
  const wanted = new Set(batch.map(({ serialNo }) => serialNo));
  const old = new Set(batch.map(({ orgId }) => orgId));
  const found = new Map<string, Organization>();
  for await (const page of run.service.organizations(since, UNSTOPPABLE)) {
    for (const node of page.records)
      if (node.serialNo !== null && wanted.has(node.serialNo) && !old.has(node.id))
        found.set(node.serialNo, node);
  }
  for (const serialNo of wanted) {
    if (found.has(serialNo)) continue;
    const node = await run.service.organizationBySerial(serialNo, UNSTOPPABLE);
    if (node?.serialNo === serialNo && !old.has(node.id)) found.set(serialNo, node);
  }
  return found;
}

function settle(
  { run, names }: UnitWork,
  batch: readonly UnitChange[],
  found: ReadonlyMap<string, Organization>,
  failures: readonly (readonly [key: string, reason: string])[],
): readonly Settlement[] {
  run.ledger.view.saveOrganizations([...found.values()], false);
  const missing = batch.filter(({ serialNo }) => !found.has(serialNo));
  return batch.map((change): Settlement => {
    const node = found.get(change.serialNo);
    if (node === undefined) return notCreated(run, change, missing, failures);
    names.put(node);
    standOn(run, change.id, node.id);
    const there = { id: change.id, orgId: node.id, sent: change.payload, accepted: node.fields };
    if (change.kind !== 'move') return { is: 'unit', ...there, made: madeOf(node) };
    run.moved.add(change.id);
    return { is: 'moved', ...there, made: madeByMoveOf(node), serialNo: change.serialNo };
  });
}

/** Keys of failures are paths of unknown shape: its words are a unit's own where only one can be meant. */
function notCreated(
  run: Run,
  change: UnitChange,
  missing: readonly UnitChange[],
  failures: readonly (readonly [key: string, reason: string])[],
): Settlement {
  if (failures.length === 0)
    return doubt(run, change, 'the service neither named it nor shows it; it is read again');
  const name = change.name.toLowerCase();
  const own = failures.filter(([key]) => key.toLowerCase().endsWith(name));
  const words = missing.length === 1 || own.length === 0 ? failures : own;
  return failed(
    run,
    change,
    `refused by the service: ${[...new Set(words.map(([, reason]) => reason))].join(' / ')}`,
  );
}
