import { isRekey } from '../domain/changes.ts';
import { isApproved } from './change-digest.ts';
import { changesOf } from './changes-of.ts';
import type { Run } from './world.ts';

/** What a person approved as the same person: only the ledger's id changes. Returns the new ids, to be compared. */
export function applyRekeys(run: Run): readonly string[] {
  const approved = run.ledger.approvals.digests();
  if (approved.size === 0) return [];
  const rekeyed: string[] = [];
  for (const change of changesOf(run, 'person', ['adopt'])) {
    const from = change.fields.find(({ field }) => field === 'id')?.from;
    if (!isRekey(change) || typeof from !== 'string' || !isApproved(change, approved)) continue;
    run.ledger.people.rekey(from, change.id);
    run.tally.applied += 1;
    rekeyed.push(change.id);
  }
  return rekeyed;
}
