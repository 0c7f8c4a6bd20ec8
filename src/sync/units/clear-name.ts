import type { UnitChange } from '../../domain/changes.ts';
import { untagged } from '../../domain/records/moved-tag.ts';
import type { OldNode } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { itemOf } from '../calls/call-item.ts';
import { journalled } from '../calls/journalled.ts';
import { onOldNode } from '../refresh/old-node.ts';
import type { UnitWork } from './unit-work.ts';
import { UNSTOPPABLE } from '../state/world.ts';

/** What became of the wish for a name: nobody has it, it was cleared, or why not. */
export type Clearing = 'free' | 'cleared' | { readonly heldBy: string };

/**
 * Gives the node that has the name which a unit is to get a temporary one, where this run renames, moves or removes that
 * node anyway. Under the reading that a new node takes over its namesake's, trying first would be no refusal but harm:
 * before an import the name is cleared where it is seen to be held; a renaming is tried first.
 */
export async function clearName(work: UnitWork, { payload, name, orgId }: UnitChange): Promise<Clearing> {
  const parentId = work.run.orgIds.get(payload.parent) ?? null;
  const holder = work.names.holder({ parentId, name }, orgId);
  if (holder === undefined) return 'free';
  const old = oldNodeOf(work, holder);
  const change = work.byOrgId.get(holder.id);
  if (old !== null) await renameOld(work, old, holder);
  else if (change !== undefined && makesRoom(change)) await setAside(work, change, holder);
  const left = work.names.holder({ parentId, name }, orgId);
  return left === undefined ? 'cleared' : { heldBy: `node ${left.id}` };
}

/** Names of 255 characters are known to be taken. */
const LONGEST_NAME = 250;

function temporary(name: string, mark: string): string {
  return `${name.slice(0, Math.max(0, LONGEST_NAME - mark.length))}~${mark}`;
}

function makesRoom({ kind, fields }: UnitChange): boolean {
  return kind === 'move' || kind === 'remove' || fields.some(({ field }) => field === 'name');
}

/** A node that a moved unit has left: remembered as such, or, where the ledger was lost, known by its tag. */
function oldNodeOf({ run, changes }: UnitWork, { id, serialNo }: Organization): OldNode | null {
  const known = run.ledger.units.oldNodes().find(({ orgId }) => orgId === id);
  if (known !== undefined) return known;
  const entries = run.ledger.units.all();
  const base = untagged(serialNo);
  if (base === null || entries.some(({ orgId }) => orgId === id)) return null;
  const unit = [...entries, ...changes].find((candidate) => candidate.serialNo === base);
  return unit === undefined ? null : { orgId: id, unit: unit.id };
}

async function renameOld(work: UnitWork, old: OldNode, node: Organization): Promise<void> {
  const name = temporary(node.name, node.id);
  await journalled(work.run, {
    operation: 'org.sweep',
    items: [onOldNode(old, node)],
    splits: false,
    send: async () => {
      await work.run.service.modifyOrganization(node.id, { name }, UNSTOPPABLE);
      work.names.rename(node.id, name);
      return [{ is: 'noted', id: old.unit }];
    },
    look: () => Promise.resolve(null),
  });
}

/** The unit's own change in this run, or the next one, gives the final name. */
async function setAside(work: UnitWork, change: UnitChange, node: Organization): Promise<void> {
  const name = temporary(node.name, change.serialNo);
  await journalled(work.run, {
    operation: 'org.modify',
    items: [itemOf(work.run, change)],
    splits: false,
    send: async () => {
      await work.run.service.modifyOrganization(node.id, { name }, UNSTOPPABLE);
      work.names.rename(node.id, name);
      return [{ is: 'aside', id: change.id, name }];
    },
    look: () => Promise.resolve(null),
  });
}
