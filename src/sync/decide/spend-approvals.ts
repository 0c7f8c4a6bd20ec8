import type { Run } from '../state/world.ts';

/** An approval is for one time: the same change, planned again by the very next run, is asked about again. */
export function spendApprovals({ id, approved, ledger }: Run): void {
  if (approved.size > 0) ledger.approvals.spend(id);
}
