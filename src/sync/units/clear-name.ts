import type { UnitChange } from '../../domain/changes.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { itemOf } from '../calls/call-item.ts';
import { journalled } from '../calls/journalled.ts';
import { onOldNode } from '../refresh/recover-moves.ts';
import type { UnitWork } from './unit-work.ts';
import { UNSTOPPABLE } from '../state/world.ts';

/** Whether a name is free: no node has it, it was cleared, or a node keeps it. */
export type Clearing = 'free' | 'cleared' | { readonly heldBy: string };

/**
 * Gives a temporary name to the node that has the name which a unit is to get, if this run renames, moves or removes
 * that node anyway. A service may take a new unit for its namesake: an attempt would not be refused there, but do harm.
 * So before an import the name is cleared wherever it is seen to be held; a rename is tried first.
 */
export async function clearName(work: UnitWork, { payload, name, orgId }: UnitChange): Promise<Clearing> {
  const parentId = work.run.nodes.orgIdOf(payload.parent) ?? null;
  const holder = holderOf(work, { parentId, name }, orgId);
  if (holder === undefined) return 'free';
  const unit = work.run.nodes.unitThatLeft(holder.id);
  const change = work.byOrgId.get(holder.id);
  if (unit !== null) await renameOld(work, { orgId: holder.id, unit }, holder);
  else if (change !== undefined && makesRoom(change)) await setAside(work, change, holder);
  const left = holderOf(work, { parentId, name }, orgId);
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

async function renameOld(work: UnitWork, old: OldNode, node: Organization): Promise<void> {
  const name = temporary(node);
  await journalled(work.run, {
    operation: 'org.sweep',
    items: [onOldNode(old, node.name)],
    splits: false,
    send: async () => {
      await work.run.service.modifyOrganization(node.id, { name }, UNSTOPPABLE);
      work.run.nodes.rename(node.id, name);
      return [{ is: 'noted', id: old.unit }];
    },
    look: () => Promise.resolve(null),
  });
}

/** Gives a temporary name to the node of a unit whose own change, in this run or the next one, gives the final name. */
async function setAside(work: UnitWork, change: UnitChange, node: Organization): Promise<void> {
  const name = temporary(node);
  await journalled(work.run, {
    operation: 'org.modify',
    items: [itemOf(work.run, change)],
    splits: false,
    send: async () => {
      await work.run.service.modifyOrganization(node.id, { name }, UNSTOPPABLE);
      work.run.nodes.rename(node.id, name);
      return [{ is: 'aside', id: change.id, orgId: node.id, name }];
    },
    look: () => Promise.resolve(null),
  });
}
