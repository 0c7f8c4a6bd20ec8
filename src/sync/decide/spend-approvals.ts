import { changeDigest, countedOf } from '../../plan/changes/change-digest.ts';
import type { Run } from '../state/world.ts';

/** An approval is for one time: the same change, planned again by the very next run, is asked about again. */
export function spendApprovals({ id, approved, ledger }: Run): void {
  if (approved.size === 0) return;
  const done = ledger.approvals.done(id);
  const spent: string[] = [];
  for (const change of ledger.staging.allChanges()) {
    if (!done.has(`${change.subject} ${change.id}`)) continue;
    for (const { part, bucket } of countedOf(change)) spent.push(changeDigest(part, bucket));
  }
  ledger.approvals.drop(spent.filter((digest) => approved.has(digest)));
}
