import { isRekey } from '../../domain/changes.ts';
import { isApproved } from '../../plan/changes/change-digest.ts';
import { changesOf } from '../calls/changes-of.ts';
import { trips } from './hold-back.ts';
import type { Run } from '../state/world.ts';

/**
 * Changes the ids of people who are the same person, where that was approved or no guard holds it. Only the ledger
 * changes. Returns the new ids, which are to be compared.
 */
export function applyRekeys(run: Run): readonly string[] {
  const rekeys = [...changesOf(run, 'person', ['adopt'])].filter((change) => isRekey(change));
  if (rekeys.length === 0) return [];
  const approved = run.ledger.approvals.digests();
  const isHeld = trips(run, 'usernameReuse');
  const rekeyed: string[] = [];
  for (const change of rekeys) {
    const from = change.fields.find(({ field }) => field === 'id')?.from;
    if (typeof from !== 'string' || (isHeld && !isApproved(change, approved))) continue;
    run.ledger.people.rekey(from, change.id);
    run.tally.applied += 1;
    rekeyed.push(change.id);
  }
  return rekeyed;
}
