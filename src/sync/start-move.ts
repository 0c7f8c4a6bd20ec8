import type { UnitChange } from '../domain/changes.ts';
import { tagged, untagged } from '../domain/moved-tag.ts';
import { block } from './block.ts';
import { failed, journalled } from './journalled.ts';
import type { UnitWork } from './unit-work.ts';
import { UNSTOPPABLE } from './world.ts';

/**
 * Frees the serial number of a unit that moves: its old node gets it tagged, and is read back. Whether the new node may
 * be made; where not, nothing else has happened.
 */
export async function startMove(work: UnitWork, change: UnitChange): Promise<boolean> {
  const node = work.names.node(change.orgId);
  const isTagged = untagged(node?.serialNo ?? null) === change.serialNo;
  const mayGo = await (isTagged ? goOn(work, change) : retag(work, change));
  return mayGo && losesNoMore(work, change);
}

/** The tag was read back: what somebody typed in since the plan is for the next one to name, and for its guard to hold. */
function losesNoMore({ run, names, values }: UnitWork, change: UnitChange): boolean {
  const node = names.node(change.orgId);
  if (run.sync.unmapped === 'omit' || node === undefined) return true;
  const planned = change.loses?.fields ?? [];
  const more = values.lostWith(node).filter((field) => !planned.includes(field));
  if (more.length === 0) return true;
  block(run, change, `not moved: its node shows ${more.join(', ')} by now, which would be lost`);
  return false;
}

/** An interrupted run has tagged it, and may have made the new node: that one is never made twice. */
async function goOn({ run }: UnitWork, change: UnitChange): Promise<boolean> {
  const made = await run.service.organizationBySerial(change.serialNo, UNSTOPPABLE);
  if (made === null) return true;
  run.ledger.view.saveOrganizations([made], false);
  block(run, change, `its new node ${made.id} was there already: the next run goes on with it`);
  return false;
}

async function retag({ run, names }: UnitWork, change: UnitChange): Promise<boolean> {
  const { id, orgId } = change;
  if (orgId === null) return false;
  const serialNo = tagged(change.serialNo, (tag) => names.hasSerial(tag));
  let done = false;
  const isTagged = async (): Promise<boolean> => {
    const node = await run.service.organization(orgId, UNSTOPPABLE);
    if (node?.serialNo !== serialNo) return false;
    run.ledger.view.saveOrganizations([node], false);
    names.put(node);
    done = true;
    return true;
  };
  await journalled(run, {
    operation: 'org.retag',
    changes: [change],
    splits: false,
    send: async () => {
      await run.service.modifyOrganization(orgId, { serial_no: serialNo }, UNSTOPPABLE);
      const reason = `not moved: node ${orgId} does not show the serial number ${serialNo} that it was given`;
      return [(await isTagged()) ? { is: 'noted', id } : failed(run, change, reason)];
    },
    look: async () => ((await isTagged()) ? [{ is: 'noted', id }] : null),
  });
  return done;
}
