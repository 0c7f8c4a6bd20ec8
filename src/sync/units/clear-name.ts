import type { UnitChange } from '../../domain/changes.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { itemOf } from '../calls/call-item.ts';
import { journalled } from '../calls/journalled.ts';
import { onLeftNode } from './remove-units.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** What the changes of units in one run share. */
export interface UnitWork {
  readonly run: SendingRun;
  /** Changes of units that have a node, by its organization id. They may make room for another unit's name. */
  readonly byOrgId: ReadonlyMap<string | null, UnitChange>;
  /** Units that move. */
  readonly moves: ReadonlySet<string>;
}

/** Whether a name is free: no node has it, it was cleared, or a node keeps it. */
export type Clearing = 'free' | 'cleared' | { readonly heldBy: string };

/**
 * Gives a temporary name to the node that has the name which a unit is to get, if this run renames, moves or removes
 * that node anyway. A service may take a new unit for its namesake: an attempt would not be refused there, but do harm.
 * So before an import the name is cleared wherever it is seen to be held; a rename is tried first.
 */
export async function clearName(
  work: UnitWork,
  { kind, payload, name, orgId }: UnitChange,
): Promise<Clearing> {
  const parentId = work.run.nodes.orgIdOf(payload.parent) ?? null;
  // A unit that gets a new node may have to take its name from the one that it leaves.
  const own = UNIT_KINDS[kind].makesNode ? null : orgId;
  const holder = holderOf(work, { parentId, name }, own);
  if (holder === undefined) return 'free';
  const unit = work.run.nodes.left.get(holder.id);
  const change = work.byOrgId.get(holder.id);
  if (unit !== undefined) await makeRoom(work, holder, { unit });
  else if (change !== undefined && makesRoom(change)) await makeRoom(work, holder, { change });
  const left = holderOf(work, { parentId, name }, own);
  return left === undefined ? 'cleared' : { heldBy: `node ${left.id}` };
}

/** Somewhat less than 255 characters, which are known to be accepted. */
const LONGEST_NAME = 250;

/** Each node has its own: older nodes of the same unit may still be there under theirs. */
function temporary({ name, id }: Organization): string {
  return `${name.slice(0, Math.max(0, LONGEST_NAME - id.length))}~${id}`;
}

function makesRoom({ kind, fields }: UnitChange): boolean {
  return kind === 'move' || kind === 'remove' || fields.some(({ field }) => field === 'name');
}

interface NameBelow {
  readonly parentId: string | null;
  readonly name: string;
}

function holderOf({ run }: UnitWork, below: NameBelow, except: string | null): Organization | undefined {
  return run.nodes.named(below).find(({ id }) => id !== except);
}

type Holder = { readonly unit: string } | { readonly change: UnitChange };

/**
 * Gives a temporary name to a node that its unit has left, or to that of a unit whose own change, in this run or the
 * next one, gives the final name.
 */
async function makeRoom({ run }: UnitWork, node: Organization, holder: Holder): Promise<void> {
  const name = temporary(node);
  const isLeft = 'unit' in holder;
  await journalled(run, {
    operation: isLeft ? 'org.sweep' : 'org.modify',
    items: [isLeft ? onLeftNode(holder.unit, node.name) : itemOf(run, holder.change)],
    splits: false,
    send: async () => {
      await run.service.modifyOrganization(node.id, { name }, UNSTOPPABLE);
      run.nodes.rename(node.id, name);
      if (isLeft) return [{ is: 'noted', id: holder.unit }];
      return [{ is: 'aside', id: holder.change.id, orgId: node.id, name }];
    },
    look: () => Promise.resolve(null),
  });
}
