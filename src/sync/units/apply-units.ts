import { UNIT_CHANGES, type UnitChange } from '../../domain/changes.ts';
import { leftName } from '../../domain/records/left-node.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { batchUnits } from '../../plan/units/batch-units.ts';
import { outgoingUnit } from '../../plan/values/outgoing.ts';
import { itemOf } from '../state/call-item.ts';
import { changesOf, inBatches, isOfStep } from '../calls/steps.ts';
import { halvingUnlessAll } from '../calls/refused-alike.ts';
import { listMissed, uploadLogos } from '../logos/upload-logos.ts';
import { importUnits } from './import-units.ts';
import { leaveNodes } from './leave-nodes.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** Creates, adopts, updates and moves units, parents before their children, level by level. */
export async function applyUnits(run: SendingRun): Promise<void> {
  const { changes, missed } = await uploadLogos(run, [...changesOf(run.ledger.plan, 'unit', UNIT_CHANGES)]);
  const placing = new Placing(run, changes);
  for (const level of byLevel(changes.filter(isOfStep('place')))) await placing.place(level);
  listMissed(run.ledger, run.tally, run.log, missed);
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

/** Returns whether the unit gets a node that is made for it. */
const isMade = ({ kind }: UnitChange): boolean => UNIT_KINDS[kind].makesNode;

class Placing {
  /** Units that move. */
  readonly #moves: ReadonlySet<string>;
  /** Removals by the nodes that go. */
  readonly #removals: ReadonlyMap<string | null, UnitChange>;
  readonly #run: SendingRun;

  constructor(run: SendingRun, changes: readonly UnitChange[]) {
    const of = (kind: UnitChange['kind']): readonly UnitChange[] =>
      changes.filter((one) => one.kind === kind);
    this.#run = run;
    this.#moves = new Set(of('move').map(({ id }) => id));
    this.#removals = new Map(of('remove').map((change) => [change.orgId, change]));
  }

  /** Creates, modifies and moves the units of one level. */
  async place(level: readonly UnitChange[]): Promise<void> {
    const run = this.#run;
    for (const change of level) if (!isMade(change)) await this.#modify(change);
    const placeable = level.filter((change) => isMade(change) && this.#hasParent(change));
    const moves = placeable.filter(({ id }) => this.#moves.has(id));
    const ready = await leaveNodes(run, moves);
    const made: UnitChange[] = [];
    for (const change of placeable)
      if ((!moves.includes(change) || ready.has(change)) && (await this.#hasName(change))) made.push(change);
    await this.#import(made);
  }

  async #import(units: readonly UnitChange[]): Promise<void> {
    const run = this.#run;
    const { calls, limits } = run;
    const size = (): number => calls.sizeOf('org.import', limits.unitsPerImport);
    for (const apart of batchUnits(units, size()))
      for (const batch of inBatches(apart, size)) {
        const work = (part: readonly UnitChange[]): Promise<'settled' | 'split'> =>
          importUnits(run, part, part !== batch);
        const how = { operation: 'org.import', work, changeOf: (change: UnitChange) => change } as const;
        calls.keepTo('org.import', batch.length, await halvingUnlessAll(run, batch, how));
      }
  }

  /** Returns whether the parent stands where it is to be. */
  #hasParent(change: UnitChange): boolean {
    const { nodes } = this.#run;
    const { parent } = change.payload;
    const isMeantToMove = change.cause !== null || this.#moves.has(parent ?? '');
    if (isMeantToMove ? nodes.hasMoved(parent) : nodes.orgIdOf(parent) !== undefined) return true;
    this.#run.lists.block(change, `waits for unit ${parent}: it is not in its place`);
    return false;
  }

  /**
   * Returns whether no node has the name in this place: a service may take a new unit for its namesake. A node that is to
   * be removed gives its name away.
   */
  async #hasName(change: UnitChange): Promise<boolean> {
    const { nodes } = this.#run;
    const below = { parentId: nodes.orgIdOf(change.payload.parent) ?? null, name: change.name };
    const [holder] = nodes.named(below);
    const removal = this.#removals.get(holder?.id ?? '');
    if (holder !== undefined && removal !== undefined)
      await this.#rename(removal, holder.id, leftName(holder.name, holder.id));
    const [left] = nodes.named(below);
    if (left !== undefined)
      this.#run.lists.block(change, `its name is still that of node ${left.id} below the same parent`);
    return left === undefined;
  }

  async #rename(removal: UnitChange, orgId: string, name: string): Promise<void> {
    const run = this.#run;
    await run.calls.make({
      operation: 'org.modify',
      items: [itemOf(run.approved, removal)],
      splits: false,
      send: async () => {
        await run.service.modifyOrganization(orgId, { name }, UNSTOPPABLE);
        run.nodes.rename(orgId, name);
        return [{ is: 'noted', id: removal.id }];
      },
      look: () => Promise.resolve(null),
    });
  }

  async #modify(change: UnitChange): Promise<void> {
    const run = this.#run;
    const { id, orgId, serialNo, payload } = change;
    if (orgId === null) return;
    const options = { clear: run.sync.clear, creating: false, serialNo };
    const fields = outgoingUnit(run.logos.fieldsOf(change), options);
    const setsSerial = change.kind === 'adopt' || change.fields.some(({ field }) => field === 'serial_no');
    const body = setsSerial ? { serial_no: serialNo, ...fields } : fields;
    await run.calls.make({
      operation: 'org.modify',
      items: [itemOf(run.approved, change)],
      send: async () => {
        await run.service.modifyOrganization(orgId, body, UNSTOPPABLE);
        run.nodes.rename(orgId, change.name);
        run.nodes.stand(id, orgId);
        return [{ is: 'unit', id, orgId, sent: payload, accepted: null, serialNo }];
      },
      splits: false,
      look: () => Promise.resolve(null),
    });
  }
}
